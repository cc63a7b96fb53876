import { fromBase64, jsonToBase64 } from './base64.ts'

/**
 * A header of x402: standard padded base64 of a value's JSON in UTF-8, the only form that every client reads.
 *
 * @example toHeader({ a: 1 }) // 'eyJhIjoxfQ=='
 */
export const toHeader = (value: unknown): string => jsonToBase64(value)

/** The value in a header: base64 or base64url, padded or not. Returns undefined if it is not base64 of JSON in UTF-8. */
export function fromHeader(header: string): unknown {
  const bytes = header === '' ? null : fromBase64(header)
  if (bytes === null) return undefined
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes))
  } catch {
    return undefined
  }
}
