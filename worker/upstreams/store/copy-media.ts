import { sha256 } from '../../lib/digest.ts'
import { HttpError, joinBytes, readBytes, withDeadline } from '../../lib/http.ts'
import { type Provider, ProviderError, type ProviderFile } from '../provider/provider.ts'
import { firstLook } from './first-look.ts'
import { type MediaKind, type MediaType, SNIFF_BYTES } from './media-type.ts'
import type { ObjectStore } from './object-store.ts'

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
/** Up to here a file is held in memory, so that a failed write can be repeated and the file hashed. */
const MAX_HELD_BYTES = 4 * MEBIBYTE

/**
 * Copies an output file from the provider to the store, under the key plus the extension of its real type. Returns null, and
 * stores nothing, when it is a file of another kind.
 * Throws `ProviderError input` when it is larger than 50 MiB, `unavailable` when it cannot be read now (`missing` when what came
 * is not a file, see `first-look.ts`), and `StorageUnavailable`.
 */
export async function copyMedia(
  provider: Pick<Provider, 'openFile'>,
  store: ObjectStore,
  kind: MediaKind,
  url: string,
  keyWithoutExtension: string,
): Promise<StoredMedia | null> {
  const file = await provider.openFile(url)
  const leaving = new AbortController()
  const target = { store, kind, name: keyWithoutExtension }
  try {
    const copied = await withDeadline(COPY_MS, () => copy(target, file, leaving.signal))
    if (copied === null) await release(file, leaving)
    return copied
  } catch (error) {
    await release(file, leaving)
    throw error instanceof HttpError ? brokenOff(error) : error
  }
}

/** Closes the connection. A body that failed or is being piped refuses this, which is harmless. */
async function release(file: ProviderFile, leaving: AbortController): Promise<void> {
  leaving.abort()
  await file.body.cancel().catch(() => undefined)
}

interface Target {
  store: ObjectStore
  kind: MediaKind
  name: string
}

async function copy(target: Target, file: ProviderFile, leaving: AbortSignal): Promise<StoredMedia | null> {
  const { length } = file
  if (length !== null && length > MAX_BYTES) throw tooLarge()
  return length !== null && length > MAX_HELD_BYTES
    ? passThrough(target, file.body, length, leaving)
    : hold(target, file)
}

const tooLarge = (): ProviderError => new ProviderError('input', 'the output is too large')
const brokenOff = (cause: unknown): ProviderError =>
  new ProviderError('unavailable', 'the output file broke off', { cause })

/** The type of the file by its first bytes; null when it is a file of another kind. Throws when it is not a file. */
function typeOf(bytes: Uint8Array, kind: MediaKind): MediaType | null {
  const look = firstLook(bytes.subarray(0, SNIFF_BYTES), kind)
  if (look.kind === 'again')
    throw new ProviderError('unavailable', 'no output file came in its place', { missing: true })
  return look.kind === 'keep' ? look.type : null
}

async function hold({ store, kind, name }: Target, file: ProviderFile): Promise<StoredMedia | null> {
  const bytes = await allBytes(file)
  const type = typeOf(bytes, kind)
  if (type === null) return null
  const key = `${name}.${type.extension}`
  const digest = await sha256(bytes)
  await store.put(key, bytes, { contentType: type.mime, length: bytes.length, sha256: digest })
  return { key, contentType: type.mime, sha256: digest }
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
  { store, kind, name }: Target,
  body: ReadableStream<Uint8Array>,
  length: number,
  leaving: AbortSignal,
): Promise<StoredMedia | null> {
  const start = await readStart(body)
  const type = typeOf(start, kind)
  if (type === null) return null
  const key = `${name}.${type.extension}`
  await store.put(key, resume(start, body, length, leaving), { contentType: type.mime, length })
  return { key, contentType: type.mime, sha256: null }
}

/** Enough bytes to see the type, or all there are. */
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

type FixedLength = new (length: number) => TransformStream<Uint8Array, Uint8Array>

/**
 * A body of `length` bytes as it was before its start was read; `leaving` closes it. On Workers it is a stream of their
 * fixed-length kind: `fetch` sends a `Content-Length` only with those, and the runtime pipes the rest without running script for
 * each piece.
 */
function resume(
  start: Uint8Array,
  body: ReadableStream<Uint8Array>,
  length: number,
  leaving: AbortSignal,
): ReadableStream<Uint8Array> {
  const FixedLengthStream: FixedLength | undefined = Reflect.get(globalThis, 'FixedLengthStream')
  const { readable, writable } = FixedLengthStream === undefined ? new TransformStream() : new FixedLengthStream(length)
  // The reader gets the error.
  feed(start, body, writable, leaving).catch(() => undefined)
  return readable
}

async function feed(
  start: Uint8Array,
  body: ReadableStream<Uint8Array>,
  writable: WritableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const writer = writable.getWriter()
  await writer.write(start)
  writer.releaseLock()
  await body.pipeTo(writable, { signal })
}
