import { ProviderError, type ProviderFile } from './provider.ts'

/** A file of at most 50 MiB, as base64 and a short head. */
const MAX_LETTERS = 70 * 1024 * 1024

export const isDataUrl = (text: string): boolean => text.slice(0, 5).toLowerCase() === 'data:'

/**
 * Opens a file that is written into its own address (RFC 2397). Its stated type is ignored: the bytes decide. Throws
 * `ProviderError input` when it cannot be decoded or is too large.
 */
export function openDataUrl(text: string): ProviderFile {
  const comma = text.indexOf(',')
  if (!isDataUrl(text) || comma < 0) throw invalid()
  if (text.length > MAX_LETTERS) throw new ProviderError('input', 'the output is too large')
  const isBase64 = text.slice(0, comma).toLowerCase().endsWith(';base64')
  const bytes = decode(text.slice(comma + 1), isBase64)
  const { body } = new Response(bytes)
  if (body === null) throw invalid()
  return { body, length: bytes.length }
}

const invalid = (cause?: unknown): ProviderError =>
  new ProviderError('input', 'the output is a data: URL that cannot be decoded', { cause })

function decode(data: string, isBase64: boolean): Uint8Array<ArrayBuffer> {
  try {
    const plain = data.includes('%') ? unescapeBytes(data) : data
    const letters = isBase64 ? atob(plain.replaceAll('-', '+').replaceAll('_', '/')) : plain
    return Uint8Array.from(letters, byteOf)
  } catch (cause) {
    throw invalid(cause)
  }
}

function byteOf(letter: string): number {
  const code = letter.charCodeAt(0)
  if (code > 0xff) throw new TypeError('a letter that is not a byte')
  return code
}

/** One letter per byte. */
const unescapeBytes = (data: string): string =>
  data.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
