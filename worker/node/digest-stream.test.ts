import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { sha256OfBody } from '../lib/digest.ts'
import { installDigestStream } from './digest-stream.ts'

installDigestStream()

const MEBIBYTE = 1024 * 1024

/** A body of this many pieces of a MiB, each of them new memory. */
function bodyOf(pieces: number): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      if (sent === pieces) return controller.close()
      sent += 1
      controller.enqueue(new Uint8Array(MEBIBYTE).fill(sent))
    },
  })
}

it('default: the SHA-256 of a body, as 64 hex digits', async () => {
  const hash = createHash('sha256')
  for (let piece = 1; piece <= 3; piece += 1) hash.update(new Uint8Array(MEBIBYTE).fill(piece))
  expect(await sha256OfBody(bodyOf(3))).toBe(hash.digest('hex'))
})

it('behavior: a body is hashed without keeping it: 10 of 30 MiB take less than half', async () => {
  let most = 0
  const before = process.memoryUsage().arrayBuffers
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  }, 5)
  const digests = await Promise.all(Array.from({ length: 10 }, () => sha256OfBody(bodyOf(30))))
  clearInterval(watch)
  expect(new Set(digests).size).toBe(1)
  expect(most).toBeLessThan(150 * MEBIBYTE)
})

it('error: a body that breaks off rejects', async () => {
  const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('cut off')) })
  await expect(sha256OfBody(broken)).rejects.toThrow('cut off')
})
