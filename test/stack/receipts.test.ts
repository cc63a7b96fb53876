import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { verifyOutputs, verifyReceipt } from '../../client/node/receipt.ts'
import { startTestStack, type TestStack } from '../helpers/stack.ts'

let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack?.stop())

const MEBIBYTE = 1024 * 1024
const resultSchema = z.object({ id: z.string(), output: z.object({ urls: z.tuple([z.string()]) }) })
const music = {
  task: 'text-to-sound',
  model: 'stability-ai/stable-audio-2.5',
  input: { prompt: 'a slow tide', duration: 60 },
}

it('behavior: a file too large to be held while it was copied is digested as it passes, when its receipt is asked for', async () => {
  const buyer = await stack.signedIn()
  const bought = await buyer.buy(music)
  const result = resultSchema.parse(await bought.json())
  const bytes = new Uint8Array(await (await fetch(result.output.urls[0])).arrayBuffer())
  expect(bytes.length).toBeGreaterThan(4 * MEBIBYTE)
  expect((await stack.rows('payments'))[0]).toMatchObject({ output_digests: [null] })

  const answer = await buyer.call(`/api/inference/${result.id}/receipt`)
  const { receipt } = await verifyReceipt(await answer.json())
  expect(() => verifyOutputs(receipt, [bytes])).not.toThrow()
  const digest = createHash('sha256').update(bytes).digest('hex')
  expect((await stack.rows('payments'))[0]).toMatchObject({ output_digests: [digest] })
})
