import { isIP } from 'node:net'
import { CoinslotError, ConnectionError } from '../src/errors.ts'
import { makeRetrier } from '../src/retry.ts'

const DEFAULT_TIMEOUT_MS = 120_000
const DEFAULT_TRIES = 5
/** The service stores no larger file. */
const MAX_BYTES = 50 * 1024 * 1024

/** One file of a result. */
export interface Media {
  url: string
  /** The content type without parameters. */
  type: string
  bytes: Uint8Array
}

export interface DownloadOptions {
  /** The origin of the service that named the file. */
  origin: string
  /** The largest file to accept; default 50 MiB. */
  maxBytes?: number
  /** Default 5. */
  tries?: number
  /** Milliseconds for each try, the whole file included; default 120,000. */
  timeoutMs?: number
}

/** The file is larger than the caller accepts. */
export class FileTooLargeError extends CoinslotError {
  override name = 'FileTooLargeError'
}

/**
 * Downloads a file that the service named, and retries a download that breaks. Follows no redirect. Throws `FileTooLargeError`,
 * `CoinslotError` for an address that must not be called, and `ConnectionError` after the last try.
 */
export function download(url: string, options: DownloadOptions): Promise<Media> {
  const { origin, maxBytes = MAX_BYTES, tries = DEFAULT_TRIES, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  return makeRetrier(tries).retry(async () => {
    const address = fileAddress(url, origin)
    try {
      const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
      if (!response.ok) {
        await response.body?.cancel()
        throw new CoinslotError(`${address.href} answers ${response.status}`)
      }
      const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? 'application/octet-stream'
      return { url, type, bytes: await readBytes(response, maxBytes) }
    } catch (error) {
      if (error instanceof CoinslotError) throw error
      throw new ConnectionError(`${address.host} sent no file`, { cause: error })
    }
  })
}

/**
 * The parsed address of a file. It must be public and HTTPS, so that a service cannot make this machine call its own network.
 * A file on the service's own host may use HTTP where the service does.
 */
export function fileAddress(url: string, origin: string): URL {
  const address = URL.canParse(url) ? new URL(url) : null
  const service = new URL(origin)
  if (address === null || address.username !== '' || address.password !== '') {
    throw new CoinslotError('the service named a file by an invalid address')
  }
  const isAllowed = isSameHost(address, service)
    ? address.protocol === 'https:' || address.protocol === service.protocol
    : address.protocol === 'https:' && isPublicName(address.hostname)
  if (!isAllowed)
    throw new CoinslotError(`the service named a file at ${address.href}, which is not a public HTTPS address`)
  return address
}

const isSameHost = (a: URL, b: URL): boolean => a.hostname === b.hostname || (isLoopback(a) && isLoopback(b))

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))

/** Names that only a local network resolves. */
const LOCAL_SUFFIXES = ['.localhost', '.local', '.internal', '.lan', '.home.arpa']

function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  const isLiteral = name.startsWith('[') || isIP(name) !== 0
  return name.includes('.') && !isLiteral && !LOCAL_SUFFIXES.some((suffix) => name.endsWith(suffix))
}

/** The body of a response, read only up to the limit. */
async function readBytes({ headers, body }: Response, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = new FileTooLargeError(`the file is larger than ${maxBytes} bytes`)
  if (Number(headers.get('content-length') ?? 0) > maxBytes) {
    await body?.cancel()
    throw tooLarge
  }
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body ?? []) {
    length += piece.byteLength
    if (length > maxBytes) throw tooLarge
    pieces.push(piece)
  }
  return Buffer.concat(pieces, length)
}
