/** Numbers of PostgreSQL's types, as its catalogue has them. */
const BOOL = 16
const JSON_TYPES = new Set([114, 3802])
/** int2, int4, oid, float4, float8: what a JavaScript number holds exactly, or is one anyway. */
const NUMBERS = new Set([21, 23, 26, 700, 701])
const NUMBER_ARRAYS = new Set([1005, 1007, 1021, 1022])
/** text[], varchar[], name[]. */
const TEXT_ARRAYS = new Set([1009, 1015, 1003])

/**
 * A cell's text as a value: booleans, numbers that fit, parsed JSON, arrays of texts and of numbers. Everything else stays
 * PostgreSQL's text: `numeric`, `int8`, times and their arrays.
 */
export function toValue(text: string, type: number): unknown {
  if (type === BOOL) return text === 't'
  if (NUMBERS.has(type)) return Number(text)
  if (JSON_TYPES.has(type)) return JSON.parse(text)
  if (TEXT_ARRAYS.has(type)) return toTexts(text)
  if (NUMBER_ARRAYS.has(type)) return toTexts(text).map((item) => (item === null ? null : Number(item)))
  return text
}

/**
 * The items of a one-dimensional array in PostgreSQL's notation.
 * @example toTexts('{a,"b,\\"c",NULL}') // ['a', 'b,"c', null]
 */
function toTexts(text: string): (string | null)[] {
  const items = text.matchAll(/[{,](?:"((?:[^"\\]|\\.)*)"|([^",{}]+))/gs)
  return Array.from(items, ([, quoted, bare]) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gs, '$1')
    return bare === undefined || bare === 'NULL' ? null : bare
  })
}
