import { sha256 } from '../digest.ts'
import { HttpError, joinBytes, readBytes, withDeadline } from '../http.ts'
import { type Provider, ProviderError, type ProviderFile } from '../providers/provider.ts'
import { type MediaType, SNIFF_BYTES, sniff } from './media-type.ts'
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
  const reader = file.body.getReader()
  try {
    return await withDeadline(COPY_MS, () => copy(store, file, reader, keyWithoutExtension))
  } catch (error) {
    // Lets the connection go; a body that has failed already refuses, and that is fine.
    await reader.cancel().catch(() => undefined)
    throw error instanceof HttpError ? brokenOff(error) : error
  }
}

async function copy(store: ObjectStore, file: ProviderFile, reader: Reader, name: string): Promise<StoredMedia> {
  if (file.length !== null && file.length > MAX_BYTES) throw tooLarge()
  const start = await readStart(reader)
  const type = sniff(start)
  if (type === null) throw new ProviderError('input', 'output type not allowed')
  const body = resume(start, reader)
  const key = `${name}.${type.extension}`
  if (file.length !== null && file.length > MAX_HELD_BYTES) {
    await store.put(key, body, { contentType: type.mime, length: file.length })
    return { key, contentType: type.mime, sha256: null }
  }
  return { key, contentType: type.mime, sha256: await hold(store, key, body, file, type) }
}

const tooLarge = (): ProviderError => new ProviderError('input', 'the output is too large')
const brokenOff = (cause: unknown): ProviderError =>
  new ProviderError('unavailable', 'the output file broke off', { cause })

async function hold(
  store: ObjectStore,
  key: string,
  body: ReadableStream<Uint8Array>,
  { length }: ProviderFile,
  { mime }: MediaType,
): Promise<string> {
  const bytes = await readBytes(body, MAX_BYTES).catch((error: unknown) => {
    throw error instanceof HttpError && error.kind === 'too_large' ? tooLarge() : brokenOff(error)
  })
  if (length !== null && bytes.length !== length) throw brokenOff(`${bytes.length} of ${length} bytes`)
  await store.put(key, bytes, { contentType: mime, length: bytes.length })
  return sha256(bytes)
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** At least as many bytes as tell the type, or all there are. */
async function readStart(reader: Reader): Promise<Uint8Array> {
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
  return joinBytes(chunks, length)
}

/** The body as it was before its start was read. */
function resume(start: Uint8Array, reader: Reader): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(start),
    async pull(controller) {
      const read = await reader.read()
      if (read.done) controller.close()
      else controller.enqueue(read.value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
