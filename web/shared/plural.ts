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
