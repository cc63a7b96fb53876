/**
 * The type that other languages have to fulfil: the same keys, functions with the same placeholders, and lists of the same length,
 * with any text in them.
 */
export type WordsLike<T> = T extends string
  ? string
  : T extends (...placeholders: infer Placeholders) => string
    ? (...placeholders: Placeholders) => string
    : { readonly [Key in keyof T]: WordsLike<T[Key]> }
