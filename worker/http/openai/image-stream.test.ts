import { expect, it } from 'vitest'
import { imageStream } from './image-stream.ts'

function pieces(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, at + size))
      at += size
      if (at >= bytes.length) controller.close()
    },
  })
}

it.each([1, 2, 3, 7, 1_000])(
  'default: G3 pictures that arrive in pieces of %d bytes are whole base64',
  async (size) => {
    const [first, second] = [crypto.getRandomValues(new Uint8Array(100)), crypto.getRandomValues(new Uint8Array(101))]
    const stream = imageStream(1_700_000_000, [pieces(first, size), pieces(second, size)], { paid: '1' })
    expect(await new Response(stream).json()).toEqual({
      created: 1_700_000_000,
      data: [{ b64_json: Buffer.from(first).toString('base64') }, { b64_json: Buffer.from(second).toString('base64') }],
      metrics: { paid: '1' },
    })
  },
)

it('error: G3 a picture that breaks off breaks the answer off', async () => {
  const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('cut')) })
  await expect(new Response(imageStream(0, [broken], {})).text()).rejects.toThrow('cut')
})
