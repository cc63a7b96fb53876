import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { makeFakeStore } from '../../../test/helpers/fakes/store.ts'
import { ProviderError, type ProviderFile } from '../provider/provider.ts'
import { copyMedia } from './copy-media.ts'
import { StorageUnavailable } from './object-store.ts'

const MEBIBYTE = 1024 * 1024
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const URL = 'https://files.example/out'

/** A picture of `length` bytes: the right start, then a pattern. */
function picture(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let index = 0; index < length; index += 1) bytes[index] = index % 251
  bytes.set(PNG)
  return bytes
}

/** `bytes` in chunks; `ends` sets how the body ends and notes when it is cancelled. */
function bodyOf(bytes: Uint8Array, chunk: number, ends: { broken?: boolean; cancelled?: boolean } = {}) {
  let offset = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (offset < bytes.length) controller.enqueue(bytes.slice(offset, offset + chunk))
      else if (ends.broken) controller.error(new TypeError('terminated'))
      else controller.close()
      offset += chunk
    },
    cancel() {
      ends.cancelled = true
    },
  })
}

function copy(file: ProviderFile, store = makeFakeStore()) {
  return { store, outcome: copyMedia({ openFile: async () => file }, store, 'image', URL, 'i/abc/0') }
}
async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'no error',
    (error: unknown) => error,
  )
}

describe('copyMedia', () => {
  it.each([
    ['known', 3_000],
    ['not known', null],
  ])('default: a file whose length is %s is stored with its real type and hashed', async (_case, length) => {
    const bytes = picture(3_000)
    const { store, outcome } = copy({ body: bodyOf(bytes, 7), length })
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(await outcome).toEqual({ key: 'i/abc/0.png', contentType: 'image/png', sha256 })
    expect(store.state.objects.get('i/abc/0.png')).toEqual({ bytes, contentType: 'image/png' })
  })

  it('behavior: a large file is passed through as a stream, whole', async () => {
    const bytes = picture(5 * MEBIBYTE)
    const store = makeFakeStore()
    const put = vi.spyOn(store, 'put')
    const { outcome } = copy({ body: bodyOf(bytes, 65_536), length: bytes.length }, store)
    expect(await outcome).toEqual({ key: 'i/abc/0.png', contentType: 'image/png', sha256: null })
    expect(put.mock.calls[0]?.[1]).toBeInstanceOf(ReadableStream)
    expect(put.mock.calls[0]?.[2]).toEqual({ contentType: 'image/png', length: bytes.length })
    expect(Buffer.compare(store.state.objects.get('i/abc/0.png')?.bytes ?? new Uint8Array(), bytes)).toBe(0)
  })

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=1"/>'],
    ['a PDF', '%PDF-1.7 and the rest'],
  ])('behavior: %s is not stored', async (_case, text) => {
    const ends = { cancelled: false }
    const bytes = new TextEncoder().encode(text)
    const { store, outcome } = copy({ body: bodyOf(bytes, 8, ends), length: bytes.length })
    expect(await outcome).toBeNull()
    expect(store.state.objects.size).toBe(0)
  })

  it.each([
    ['a page', '<!doctype html><script>1</script>'],
    ['nothing', ''],
    ['a word', 'pending'],
  ])('error: D1 missing for %s, and nothing is stored', async (_case, text) => {
    const bytes = new TextEncoder().encode(text)
    const { store, outcome } = copy({ body: bodyOf(bytes, 8), length: bytes.length })
    expect(await errorOf(outcome)).toMatchObject({ kind: 'unavailable', missing: true })
    expect(store.state.objects.size).toBe(0)
  })

  it('error: input for a file said to be over 50 MiB, of which nothing is read', async () => {
    const ends = { cancelled: false }
    const { outcome } = copy({ body: bodyOf(picture(16), 8, ends), length: 50 * MEBIBYTE + 1 })
    expect(await errorOf(outcome)).toMatchObject({ kind: 'input', message: 'the output is too large' })
    expect(ends.cancelled).toBe(true)
  })

  it('error: input for a file without a length that goes past 50 MiB, and the rest is cancelled', async () => {
    let sent = 0
    const ends = { cancelled: false }
    const chunk = picture(MEBIBYTE)
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1
        controller.enqueue(chunk)
      },
      cancel() {
        ends.cancelled = true
      },
    })
    expect(await errorOf(copy({ body: endless, length: null }).outcome)).toMatchObject({ kind: 'input' })
    expect(sent).toBeLessThan(54)
    expect(ends.cancelled).toBe(true)
  })

  it('error: unavailable when the file breaks off or is shorter than said; never a short object', async () => {
    const broken = copy({ body: bodyOf(picture(100), 10, { broken: true }), length: 100 })
    expect(await errorOf(broken.outcome)).toMatchObject({ kind: 'unavailable' })
    const short = copy({ body: bodyOf(picture(99), 10), length: 100 })
    expect(await errorOf(short.outcome)).toMatchObject({ kind: 'unavailable' })
    expect(broken.store.state.objects.size + short.store.state.objects.size).toBe(0)
  })

  it('error: unavailable when the body stalls', async () => {
    vi.useFakeTimers()
    const stalled = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(picture(100)) })
    const error = errorOf(copy({ body: stalled, length: null }).outcome)
    await vi.advanceTimersByTimeAsync(40_000)
    expect(await error).toMatchObject({ kind: 'unavailable' })
  })

  it.each([
    ['held', 12],
    ['passed through', 5 * MEBIBYTE],
  ])('behavior: a file of another kind is not stored, %s', async (_how, length) => {
    const bytes = new Uint8Array(length)
    bytes.set(new TextEncoder().encode('ID3'))
    const ends = { cancelled: false }
    const { store, outcome } = copy({ body: bodyOf(bytes, length, ends), length })
    expect(await outcome).toBeNull()
    expect(store.state.objects.size).toBe(0)
  })

  it('error: what the store or the provider throws is thrown again unchanged', async () => {
    const store = makeFakeStore()
    store.state.down = true
    expect(await errorOf(copy({ body: bodyOf(picture(100), 10), length: 100 }, store).outcome)).toBeInstanceOf(
      StorageUnavailable,
    )
    const gone = new ProviderError('input', 'gone')
    expect(await errorOf(copyMedia({ openFile: () => Promise.reject(gone) }, store, 'image', URL, 'i/abc/0'))).toBe(
      gone,
    )
  })
})
