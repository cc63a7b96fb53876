/**
 * How a language writes numbers, prices and durations. These are the rules of `Intl`, written out for the first page, which does not
 * use `Intl`: its first use takes a phone as long as building the whole page.
 */
export interface LanguageFormat {
  /** For `Intl`: dates, percentages and plural forms. */
  readonly locale: string
  readonly group: string
  readonly decimal: string
  /** Digits before the decimal separator from which they are grouped: Spanish writes `1250`, but `12.500`. */
  readonly groupFrom: 4 | 5
  /** An amount in US dollars. */
  dollars(amount: string): string
  /** An amount in US cents. */
  cents(amount: string): string
  seconds(count: string): string
  minutes(count: string): string
  /** Between two parts of a duration or a list. */
  readonly space: string
}
