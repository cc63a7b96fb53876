import type { Tag } from './languages.ts'

/**
 * The type that other languages have to fulfil: the same keys, functions with the same placeholders, and lists of the same length,
 * with any text in them.
 */
export type WordsLike<T> = T extends string
  ? string
  : T extends (...placeholders: infer Placeholders) => string
    ? (...placeholders: Placeholders) => string
    : { readonly [Key in keyof T]: WordsLike<T[Key]> }

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

/** The words of every site: its frame, its colours, its wallets, its links. */
export interface SharedWords {
  readonly tag: Tag
  readonly format: LanguageFormat
  readonly skip: string
  readonly language: string
  readonly theme: { readonly label: string; readonly system: string; readonly light: string; readonly dark: string }
  readonly copy: string
  readonly copied: string
  /** Before the text that the browser does not let the page copy. */
  readonly notCopied: string
  /** A wallet that does not say its name. */
  readonly injectedWallet: string
  readonly demoWallet: string
  /** Title of a link to a block explorer. */
  readonly explorer: string
}

/** The shared words of the page's language. They are set once, before anything that reads them is shown. */
export let shared: SharedWords

export function useShared(words: SharedWords): void {
  shared = words
}

/** A text for each plural form of the language (CLDR). `other` is the form for all the rest. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/**
 * Returns a function that chooses the plural form for a number: `pluralOf('en')(1, { one: '1 run', other: '2 runs' })` is `1 run`.
 * `Intl` is used only when the function is first called, because its first use takes a phone as long as building the whole page.
 */
export function pluralOf(locale: string): (count: number, forms: PluralForms) => string {
  let rules: Intl.PluralRules | undefined
  return (count, forms) => {
    rules ??= new Intl.PluralRules(locale)
    return forms[rules.select(count)] ?? forms.other
  }
}
