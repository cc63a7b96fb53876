/** An object of unknown members. */
export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isText = (value: unknown): value is string => typeof value === 'string'

/** The string at `key`, or undefined where there is none. */
export function textAt(from: Fields, key: string): string | undefined {
  const value = from[key]
  return isText(value) ? value : undefined
}

/** The object at `key`; empty where there is none. */
export function fieldsAt(from: Fields, key: string): Fields {
  const value = from[key]
  return isFields(value) ? value : {}
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Base64 (standard, padded) of a value's JSON in UTF-8. */
export function toHeader(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** What `toHeader` wrote; undefined where it cannot be read. */
export function fromHeader(header: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(header), (char) => char.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

/** JSON with the members of every object in order, so that two texts of the same request are the same text. */
export function canonicalJson(value: unknown): string {
  const sorted = (_key: string, item: unknown): unknown =>
    isFields(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item
  return JSON.stringify(value, sorted)
}
