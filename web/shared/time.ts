import { formatNumber } from './money.ts'
import { shared } from './texts.ts'

/** Created at first use: on a phone it takes as long as building the whole page. */
function formatter(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  let made: Intl.DateTimeFormat | undefined
  return (date) => {
    made ??= new Intl.DateTimeFormat(shared.format.locale, options)
    // No line ends before `PM`.
    return made.format(date).replace(/(:\d\d) /, '$1\u00a0')
  }
}
const clock = formatter({ hour: 'numeric', minute: '2-digit' })
/** The month as a word: `29/11/2026` reads in two ways, and in Arabic from both sides. */
const DAY_OF_YEAR = { day: 'numeric', month: 'short', year: 'numeric' } as const
const dayAndTime = formatter({ ...DAY_OF_YEAR, hour: 'numeric', minute: '2-digit' })
const day = formatter({ day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayOfYear = formatter({ ...DAY_OF_YEAR, timeZone: 'UTC' })
const monthOfYear = formatter({ month: 'long', year: 'numeric', timeZone: 'UTC' })

const SHORTEST = 0.1

/** `4:05 PM` in the reader's own time zone. */
export function formatClock(date: Date): string {
  return clock(date)
}

/** `Nov 27, 2026, 4:05 PM` of an RFC 3339 string. Returns the string itself if it is not a time. */
export function formatMoment(rfc3339: string): string {
  const date = new Date(rfc3339)
  return Number.isNaN(date.getTime()) ? rfc3339 : dayAndTime(date)
}

/** `Nov 27` of a calendar date such as `2026-11-27`. */
export const formatDay = (isoDate: string): string => formatCalendar(isoDate, day)

/** `Nov 27, 2026` of a calendar date such as `2026-11-27`. */
export const formatDate = (isoDate: string): string => formatCalendar(isoDate, dayOfYear)

/** `November 2026` of a month such as `2026-11`. */
export const formatMonth = (isoMonth: string): string => formatCalendar(`${isoMonth}-01`, monthOfYear)

function formatCalendar(isoDate: string, format: (date: Date) => string): string {
  const date = new Date(`${isoDate.slice(0, 10)}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? isoDate : format(date)
}

/** `< 0.1 s`, `3.2 s`, `10 s`, `2 min 5 s`: one decimal below ten seconds. */
export function formatSeconds(seconds: number): string {
  const { format } = shared
  if (seconds > 0 && seconds < SHORTEST) return `<\u00a0${format.seconds(formatNumber(SHORTEST))}`
  if (seconds < 60)
    return format.seconds(formatNumber(seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)))
  const whole = Math.round(seconds)
  const minutes = format.minutes(String(Math.floor(whole / 60)))
  return whole % 60 === 0 ? minutes : minutes + format.space + format.seconds(String(whole % 60))
}
