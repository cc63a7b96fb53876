import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { type FileHandle, link, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { invalidRequest, S3Error } from './s3-error.ts'

const recordSchema = z.object({
  key: z.string(),
  size: z.number(),
  /** Quoted MD5, as S3 returns it for a body sent in one piece. */
  etag: z.string(),
  lastModified: z.iso.datetime(),
  /** Lower-case names: content type, cache control, `x-amz-meta-*`. */
  headers: z.record(z.string(), z.string()),
})
export type ObjectRecord = z.infer<typeof recordSchema>

export interface NewObject {
  key: string
  size: number
  headers: Record<string, string>
  /** Hex SHA-256 that the body must have; null for any. */
  sha256: string | null
  /** Refuse an existing key. */
  onlyNew: boolean
}

/** Bytes at the start of each file that hold its record as JSON, padded with spaces: record and body change in one rename. */
const RECORD_BYTES = 8192

/** Objects as files of one folder, named by the hash of their key, so that no key can reach another file. */
export class ObjectFiles {
  readonly #dir: string

  /** Removes uploads that a crash interrupted. Two servers must not share the folder. */
  constructor(dir: string) {
    this.#dir = dir
    mkdirSync(dir, { recursive: true })
    for (const name of readdirSync(dir)) if (name.endsWith('.partial')) rmSync(join(dir, name))
  }

  /** Streams `body` to disk and returns the object's ETag. A body with a wrong length or hash leaves nothing. */
  async put(object: NewObject, body: Readable): Promise<string> {
    const partial = join(this.#dir, `${randomUUID()}.partial`)
    const file = await open(partial, 'wx')
    try {
      const record = await writeObject(file, object, body).finally(() => file.close())
      // A link fails if the name exists, a rename replaces it. Both are atomic.
      if (object.onlyNew) await link(partial, this.#pathOf(object.key)).catch(asPrecondition)
      else await rename(partial, this.#pathOf(object.key))
      return record.etag
    } finally {
      await rm(partial, { force: true })
    }
  }

  /** The object with a way to read bytes `start` to `end` (inclusive), or null. `close` must be called. */
  async get(
    key: string,
  ): Promise<{ record: ObjectRecord; read(start: number, end: number): Readable; close(): Promise<void> } | null> {
    const file = await open(this.#pathOf(key)).catch(absent)
    if (file === null) return null
    const read = (start: number, end: number) =>
      createReadStream('', { fd: file, autoClose: false, start: RECORD_BYTES + start, end: RECORD_BYTES + end })
    return { record: await readRecord(file), read, close: () => file.close() }
  }

  async delete(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true })
  }

  /** All objects whose key starts with `prefix`, in the order of their keys' UTF-8 bytes. */
  async list(prefix: string): Promise<ObjectRecord[]> {
    const names = (await readdir(this.#dir)).filter((name) => name.endsWith('.object'))
    const records: ObjectRecord[] = []
    for (const name of names) {
      const file = await open(join(this.#dir, name)).catch(absent)
      if (file !== null) records.push(await readRecord(file).finally(() => file.close()))
    }
    return records
      .filter(({ key }) => key.startsWith(prefix))
      .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)))
  }

  #pathOf(key: string): string {
    return join(this.#dir, `${createHash('sha256').update(key).digest('hex')}.object`)
  }
}

async function writeObject(file: FileHandle, object: NewObject, body: Readable): Promise<ObjectRecord> {
  const md5 = createHash('md5')
  const sha256 = createHash('sha256')
  let size = 0
  await pipeline(body, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      md5.update(chunk)
      sha256.update(chunk)
      await file.write(chunk, 0, chunk.length, RECORD_BYTES + size)
      size += chunk.length
    }
  })
  if (size !== object.size) throw new S3Error(400, 'IncompleteBody', 'The body is not as long as Content-Length says')
  if (object.sha256 !== null && sha256.digest('hex') !== object.sha256) {
    throw new S3Error(400, 'XAmzContentSHA256Mismatch', 'The body does not have the hash x-amz-content-sha256')
  }
  const { key, headers } = object
  const record = { key, size, etag: `"${md5.digest('hex')}"`, lastModified: new Date().toISOString(), headers }
  const text = JSON.stringify(record)
  if (Buffer.byteLength(text) > RECORD_BYTES) throw invalidRequest('Key and headers together are too long')
  await file.write(text.padEnd(RECORD_BYTES - Buffer.byteLength(text) + text.length), 0)
  return record
}

async function readRecord(file: FileHandle): Promise<ObjectRecord> {
  const { buffer } = await file.read(Buffer.alloc(RECORD_BYTES), 0, RECORD_BYTES, 0)
  return recordSchema.parse(JSON.parse(buffer.toString()))
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

function absent(error: unknown): null {
  if (hasCode(error, 'ENOENT')) return null
  throw error
}

function asPrecondition(error: unknown): never {
  if (hasCode(error, 'EEXIST')) throw new S3Error(412, 'PreconditionFailed', 'The key is taken')
  throw error
}
