import { type Fetch, withDeadline } from '../../lib/http.ts'
import { excerpt } from '../../lib/text.ts'
import { ProviderError, type ProviderFile } from './provider.ts'

/** Milliseconds until the file starts to come; the reader of the body bounds the rest. */
const HEAD_MS = 10_000

interface FileAccess {
  baseUrl: string
  token: string
  /** Entries like `files.example` or `*.files.example`. */
  fileHosts: readonly string[]
  fetch: Fetch
}

/**
 * Opens an output file. Throws `ProviderError input` for a place that is not allowed or a redirect, and `unavailable` for
 * anything that may pass: a file that is not visible yet, too. The token is sent to the API's own origin only.
 */
export async function openFile({ baseUrl, token, fileHosts, fetch }: FileAccess, text: string): Promise<ProviderFile> {
  if (isDataUrl(text)) return openDataUrl(text)
  const base = new URL(baseUrl)
  const url = allowedFileUrl(text, base, fileHosts)
  if (url === null) throw new ProviderError('input', 'the output lies at a place that is not allowed')
  const headers: Record<string, string> = url.origin === base.origin ? { authorization: `Bearer ${token}` } : {}
  try {
    const response = await withDeadline(HEAD_MS, (signal) => fetch(url.href, { headers, redirect: 'manual', signal }))
    if (response.status !== 200 || response.body === null) throw await refused(response)
    return { body: response.body, length: lengthOf(response.headers) }
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause
    throw new ProviderError('unavailable', 'the output file could not be opened', { cause })
  }
}

async function refused(response: Response): Promise<ProviderError> {
  await response.body?.cancel()
  const { status } = response
  if (status >= 300 && status < 400) return new ProviderError('input', 'the output file redirects elsewhere')
  const missing = status === 404 || status === 410
  return new ProviderError('unavailable', excerpt(`the output file answered ${status}`), { missing })
}

/** A compressed body is longer than it says. */
function lengthOf(headers: Headers): number | null {
  const length = headers.get('content-length')
  return length !== null && /^[0-9]{1,15}$/.test(length) && !headers.has('content-encoding') ? Number(length) : null
}

/** True if files may be fetched from a host: an entry names it, or a `*.` entry names a parent. Ports do not matter. */
const isAllowedHost = (hostname: string, allowed: readonly string[]): boolean =>
  allowed.some((entry) => {
    const host = entry.toLowerCase()
    return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host
  })

/**
 * The address of an output file, if it may be opened: on an allowed host, https (http where the provider's own base is http),
 * without credentials. Null otherwise. Host names are compared as URL parsing normalises them, so that no spelling slips by.
 */
function allowedFileUrl(text: string, base: URL, allowed: readonly string[]): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.username !== '' || url.password !== '') return null
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && base.protocol === 'http:')) return null
  return isAllowedHost(url.hostname, allowed) ? url : null
}

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
