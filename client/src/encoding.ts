import { isFields } from './json-fields.ts'

/** Base64 (standard, padded) of a value's JSON in UTF-8. */
export function toHeader(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** The value that `toHeader` wrote; undefined when it is not valid. */
export function fromHeader(header: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(header), (char) => char.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

/** JSON with the keys of every object sorted, so that equal requests are equal texts. */
export function canonicalJson(value: unknown): string {
  const sorted = (_key: string, item: unknown): unknown =>
    isFields(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item
  return JSON.stringify(value, sorted)
}
