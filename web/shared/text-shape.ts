// For the tests of the dictionaries.

/** Each text with its path. A function is called with marks, which show the placeholders in its text. */
export function shapeOf(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return [path]
  if (typeof value === 'function') {
    const marks = Array.from({ length: value.length }, (_, index) => `⟦${index}⟧`)
    const takesNumber = /\.(count|countRuns)$/.test(path)
    const text = String(takesNumber ? value(7, ...marks.slice(1)) : value(...marks))
    return [`${path}(${marks.filter((mark) => text.includes(mark)).join('')})`]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => shapeOf(inner, `${path}.${key}`))
}

/** Texts of three words and more that are the same in both: forgotten in a translation. */
export function untranslated(own: unknown, english: unknown, path = ''): string[] {
  if (typeof own === 'string') return own === english && /\S+ \S+ \S+/.test(own) ? [path] : []
  if (typeof own !== 'object' || own === null || typeof english !== 'object' || english === null) return []
  return Object.entries(own).flatMap(([key, inner]) => untranslated(inner, Reflect.get(english, key), `${path}.${key}`))
}

/** All texts in a value. A function is called with fives. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') return textsIn(value(...Array.from({ length: value.length }, () => '5')))
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/**
 * Texts in which a line could end before a unit, or before a sign that French sets off: `50 %`, `Prix : 5`, `« oui »`. They need a
 * no-break space there.
 */
export function breakable(words: unknown): string[] {
  return textsIn(words).filter((text) => /\d [%¢$]| [:;!?»]|« /.test(text))
}

/** Texts with an amount and its unit that a text from right to left would put in the other order: they are not isolated. */
export function reordered(words: unknown): string[] {
  const others = textsIn(words).map((text) => text.replace(/\u2066[^\u2069]*\u2069/g, ''))
  return others.filter((text) => /\d ?(?:%|[A-Z]{3,4}\b)/.test(text))
}
