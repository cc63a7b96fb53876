import { isFields } from './json-fields.ts'

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
