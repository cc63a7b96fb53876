/** The base64 alphabet of URLs, without padding. */
const forUrl = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** A text with one character for each byte, as `btoa` wants it. A spread of as few bytes would take three times as long. */
function binaryOf(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return binary
}

/** Standard padded base64, for files of a few MiB too. */
export const toBase64 = (bytes: Uint8Array): string => btoa(binaryOf(bytes))

const URL_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Base64url without padding. For a few bytes: keys, signatures. */
export function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = ((held & 0x3f) << 8) | byte
    for (bits += 8; bits >= 6; bits -= 6) text += URL_ALPHABET.charAt((held >> (bits - 6)) & 0x3f)
  }
  return bits === 0 ? text : text + URL_ALPHABET.charAt((held << (6 - bits)) & 0x3f)
}

/** Bytes of a base64 or base64url text, padded or not; null when it is neither. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return null
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = new Uint8Array(binary.length)
    for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index)
    return bytes
  } catch {
    return null
  }
}

const encoder = new TextEncoder()
const inUtf8 = (run: string): string => binaryOf(encoder.encode(run))

/** A text in UTF-8 with one character for each byte. Only what is not ASCII goes through bytes. */
export const inBinary = (text: string): string => text.replaceAll(/[\u0080-\uffff]+/g, inUtf8)

/**
 * A header of x402: standard padded base64 of the JSON of a value in UTF-8, the only form that every client reads. For values of a
 * few KiB. Only what is not ASCII goes through bytes: all of it would cost a 402 a tenth of its processor time.
 *
 * @example toHeader({ a: 1 }) // 'eyJhIjoxfQ=='
 */
export const toHeader = (value: unknown): string => btoa(inBinary(JSON.stringify(value)))

/** Base64url, without padding, of the JSON of a value in UTF-8. */
export const jsonToBase64Url = (value: unknown): string => forUrl(toHeader(value))

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
