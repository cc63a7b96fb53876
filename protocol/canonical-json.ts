/** No valid request nests deeper than a few levels; without a bound a hostile body exhausts the stack. */
const MAX_DEPTH = 64

/**
 * JSON with sorted keys and no white space (RFC 8785): the same text for the same value, however it was written. Members that are
 * undefined are left out. Throws a RangeError if the value is nested deeper than 64 levels.
 *
 * @example canonicalJson({ b: 1, a: [2] }) // '{"a":[2],"b":1}'
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new RangeError(`nested deeper than ${MAX_DEPTH} levels`)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`
  const members = new Map(Object.entries(value))
  let json = ''
  // Plain sort() compares UTF-16 code units, as the RFC wants.
  for (const key of [...members.keys()].sort()) {
    const member = members.get(key)
    if (member === undefined) continue
    json += `${json === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member, depth + 1)}`
  }
  return `{${json}}`
}
