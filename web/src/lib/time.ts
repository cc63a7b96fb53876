import { LANGUAGE } from '../words/en.ts'
import { formatDecimal } from './money.ts'

// Made when first used: Intl is slow to begin, and the first page shows none of them.
const clock = once(() => new Intl.DateTimeFormat(LANGUAGE, { hour: 'numeric', minute: '2-digit' }))
const dayAndTime = once(() => new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'short' }))
const day = once(() => new Intl.DateTimeFormat(LANGUAGE, { day: 'numeric', month: 'short', timeZone: 'UTC' }))

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}

const SHORTEST = 0.1

/** `4:05 PM` in the reader's own time zone. */
export function formatClock(date: Date): string {
  return clock().format(date)
}

/** `Nov 27, 2026, 4:05 PM` of an RFC 3339 string; the string itself where it is no time. */
export function formatMoment(rfc3339: string): string {
  const date = new Date(rfc3339)
  return Number.isNaN(date.getTime()) ? rfc3339 : dayAndTime().format(date)
}

/** `Nov 27` of a calendar date such as `2026-11-27`. */
export function formatDay(isoDate: string): string {
  const date = new Date(`${isoDate.slice(0, 10)}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? isoDate : day().format(date)
}

/** `< 0.1 s`, `3.2 s`, `10 s`, `2 min 5 s`: one decimal below ten seconds. */
export function formatSeconds(seconds: number): string {
  if (seconds > 0 && seconds < SHORTEST) return `< ${decimal(SHORTEST)} s`
  if (seconds >= 60) {
    const whole = Math.round(seconds)
    const rest = whole % 60
    return rest === 0 ? `${Math.floor(whole / 60)} min` : `${Math.floor(whole / 60)} min ${rest} s`
  }
  return `${decimal(seconds)} s`
}

const decimal = (seconds: number): string => formatDecimal(seconds.toFixed(seconds < 10 ? 1 : 0), 0)
