export type Unit = 'day' | 'hour' | 'minute' | 'second'

/** A time of the clock on the wall. */
export interface WallTime {
  year: number
  /** 1 to 12. */
  month: number
  day: number
  hour: number
  /** Two digits. */
  minute: string
}

/**
 * How a language writes dates, durations and shares. These are the rules of `Intl`, written out for the first page: the first use of
 * `Intl` takes a phone as long as building the whole page.
 */
export interface Times {
  /** `Nov 27, 2026, 4:05 PM`. */
  moment(time: WallTime): string
  /** `3 days`, with a no-break space. */
  readonly count: Readonly<Record<Unit, (count: number) => string>>
  /** Puts the second part of a duration after the first. */
  join(first: string, second: string): string
  /** `12.5%`. */
  percent(amount: string): string
}

export const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Writes a count in a language with two plural forms. The first form is for the counts from `singularFrom` to 1. */
export const withPlural =
  (one: string, other: string, singularFrom = 1) =>
  (count: number): string =>
    `${count}\u00a0${count <= 1 && count >= singularFrom ? one : other}`

/** Writes a count in a language without plural forms. */
export const withUnit =
  (unit: string) =>
  (count: number): string =>
    count + unit
