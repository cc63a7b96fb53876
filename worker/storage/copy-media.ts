import { sha256 } from '../lib/digest.ts'
import { HttpError, joinBytes, readBytes, withDeadline } from '../lib/http.ts'
import { type Provider, ProviderError, type ProviderFile } from '../providers/provider.ts'
import { type MediaType, SNIFF_BYTES, sniff } from './media-type.ts'
import type { ObjectStore } from './object-store.ts'
import { resume } from './resume.ts'

export interface StoredMedia {
  key: string
  contentType: string
  /** 64 hex digits; null for a file too large to be held in memory, which is passed through. */
  sha256: string | null
}

/** Milliseconds for a whole copy. */
const COPY_MS = 40_000
const MEBIBYTE = 1024 * 1024
const MAX_BYTES = 50 * MEBIBYTE
/** Up to here a file is held in memory, so that a failed write can be repeated and its hash told. */
const MAX_HELD_BYTES = 4 * MEBIBYTE

/**
 * Copies an output file from the provider to the store, under the key plus the extension of what it really is.
 * Throws `ProviderError input` when it is of no kept type or larger than 50 MiB, `unavailable` when it cannot be read now, and
 * `StorageUnavailable`.
 */
export async function copyMedia(
  provider: Pick<Provider, 'openFile'>,
  store: ObjectStore,
  url: string,
  keyWithoutExtension: string,
): Promise<StoredMedia> {
  const file = await provider.openFile(url)
  const leaving = new AbortController()
  try {
    return await withDeadline(COPY_MS, () => copy(store, file, keyWithoutExtension, leaving.signal))
  } catch (error) {
    // Lets the connection go; a body that has failed or is being piped already refuses, and that is fine.
    leaving.abort()
    await file.body.cancel().catch(() => undefined)
    throw error instanceof HttpError ? brokenOff(error) : error
  }
}

async function copy(store: ObjectStore, file: ProviderFile, name: string, leaving: AbortSignal): Promise<StoredMedia> {
  const { length } = file
  if (length !== null && length > MAX_BYTES) throw tooLarge()
  return length !== null && length > MAX_HELD_BYTES
    ? passThrough(store, file.body, length, name, leaving)
    : hold(store, file, name)
}

const tooLarge = (): ProviderError => new ProviderError('input', 'the output is too large')
const brokenOff = (cause: unknown): ProviderError =>
  new ProviderError('unavailable', 'the output file broke off', { cause })

function typeOf(bytes: Uint8Array): MediaType {
  const type = sniff(bytes)
  if (type === null) throw new ProviderError('input', 'output type not allowed')
  return type
}

async function hold(store: ObjectStore, file: ProviderFile, name: string): Promise<StoredMedia> {
  const bytes = await allBytes(file)
  const { mime, extension } = typeOf(bytes)
  const key = `${name}.${extension}`
  const digest = await sha256(bytes)
  await store.put(key, bytes, { contentType: mime, length: bytes.length, sha256: digest })
  return { key, contentType: mime, sha256: digest }
}

/** A body whose length is known is read in one go; any other one piece by piece, to stop where it is too large. */
async function allBytes({ body, length }: ProviderFile): Promise<Uint8Array<ArrayBuffer>> {
  const reading =
    length === null
      ? readBytes(body, MAX_BYTES)
      : new Response(body).arrayBuffer().then((buffer) => new Uint8Array(buffer))
  const bytes = await reading.catch((error: unknown) => {
    throw error instanceof HttpError && error.kind === 'too_large' ? tooLarge() : brokenOff(error)
  })
  if (length !== null && bytes.length !== length) throw brokenOff(`${bytes.length} of ${length} bytes`)
  return bytes
}

async function passThrough(
  store: ObjectStore,
  body: ReadableStream<Uint8Array>,
  length: number,
  name: string,
  leaving: AbortSignal,
): Promise<StoredMedia> {
  const start = await readStart(body)
  const { mime, extension } = typeOf(start)
  const key = `${name}.${extension}`
  await store.put(key, resume(start, body, length, leaving), { contentType: mime, length })
  return { key, contentType: mime, sha256: null }
}

/** At least as many bytes as tell the type, or all there are. */
async function readStart(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < SNIFF_BYTES) {
    const read = await reader.read().catch((cause: unknown) => {
      throw brokenOff(cause)
    })
    if (read.done) break
    chunks.push(read.value)
    length += read.value.byteLength
  }
  reader.releaseLock()
  return joinBytes(chunks, length)
}
