import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { verifyOutputs, verifyReceipt } from '../../client/node/receipt.ts'
import { type Buyer, readEvents, readUntil } from '../helpers/buyer.ts'
import { imageSize, wavSeconds } from '../helpers/media.ts'
import { decodeHeader } from '../helpers/sign-payment.ts'
import { borrowTestStack, holdRun, type TestStack } from '../helpers/stack.ts'

const image = {
  task: 'text-to-image',
  model: 'black-forest-labs/flux-schnell',
  input: { prompt: 'a red bicycle by the sea' },
}
const text = {
  task: 'text-to-text',
  model: 'meta/meta-llama-3-8b-instruct',
  input: { prompt: 'Explain how a lighthouse helps a sailor' },
}
const sound = {
  task: 'text-to-sound',
  model: 'suno-ai/bark',
  input: { prompt: 'Good evening, this is the harbour office.' },
}

let stack: TestStack
let buyer: Buyer

beforeAll(async () => {
  stack = await borrowTestStack()
  buyer = await stack.signedIn()
})
afterAll(() => stack?.stop())

interface Result {
  id: string
  status: string
  output: { type: string; urls: string[]; text: string }
  metrics: { paymentTxHash: string; paymentAmount: string; predictTimeMs: number; actualCostUsdc: string }
}

/** Buys one run and checks what every purchase has to show: the answer, the receipt header, the transfer on chain. */
async function buyAndCheck(body: unknown): Promise<Result> {
  const before = await stack.transfers()
  const required = await buyer.quote(body)
  const response = await buyer.pay(body, await buyer.sign(required))
  expect(response.status).toBe(200)
  const result: Result = await response.json()
  expect(result.status).toBe('succeeded')
  const [transfer, ...others] = (await stack.transfers()).slice(before.length)
  expect(others).toEqual([])
  expect(transfer).toEqual({
    from: buyer.account.address,
    value: BigInt(required.accepts[0]?.amount ?? 0),
    transactionHash: result.metrics.paymentTxHash,
  })
  expect(decodeHeader(response.headers.get('Payment-Response'))).toMatchObject({
    success: true,
    payer: buyer.account.address,
    transaction: result.metrics.paymentTxHash,
    network: stack.info.network,
  })
  return result
}

describe('a buyer on the real stack', () => {
  it('default: a picture that opens, for exactly the quoted amount', async () => {
    const { output } = await buyAndCheck(image)
    expect(output.type).toBe('image')
    const file = await fetch(output.urls[0] ?? '')
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    const size = imageSize(new Uint8Array(await file.arrayBuffer()))
    expect(size.width).toBeGreaterThanOrEqual(512)
    expect(size.height).toBeGreaterThanOrEqual(512)
  })

  it('default: a text about the prompt', async () => {
    const { output } = await buyAndCheck(text)
    expect(output.type).toBe('text')
    expect(output.text.split(/\s+/).length).toBeGreaterThanOrEqual(20)
    expect(output.text).toMatch(/lighthouse/i)
    expect(output.text).toMatch(/sailor/i)
  })

  it('default: a sound that lasts over a second', async () => {
    const { output } = await buyAndCheck(sound)
    expect(output.type).toBe('audio')
    const file = await fetch(output.urls[0] ?? '')
    expect(wavSeconds(new Uint8Array(await file.arrayBuffer()))).toBeGreaterThan(1)
  })

  it('behavior: twenty copies at once make one settlement, one prediction, one row', async () => {
    const [transfers, predictions, rows] = [
      await stack.transfers(),
      await stack.predictions(),
      await stack.rows('inferences'),
    ]
    const header = await buyer.sign(await buyer.quote(text))
    const answers = await Promise.all(Array.from({ length: 20 }, () => buyer.pay(text, header)))
    const winners = answers.filter(({ status }) => status === 200)
    expect(winners.length).toBeGreaterThanOrEqual(1)
    const results = await Promise.all(winners.map((answer) => answer.text()))
    expect(new Set(results).size).toBe(1)
    const others = await Promise.all(answers.filter(({ status }) => status !== 200).map((answer) => answer.json()))
    const { id }: Result = JSON.parse(results[0] ?? '')
    for (const problem of others) {
      expect(problem).toMatchObject({
        code: 'payment_in_progress',
        nextAction: 'poll',
        statusUrl: `/api/inference/${id}`,
      })
    }
    expect((await stack.transfers()).length - transfers.length).toBe(1)
    expect((await stack.predictions()) - predictions).toBe(1)
    expect((await stack.rows('inferences')).length - rows.length).toBe(1)
  })

  it('behavior: the same payment is answered alike after the worker was killed and came back', async () => {
    const header = await buyer.sign(await buyer.quote(image))
    const first = await buyer.pay(image, header)
    const counts = [await stack.predictions(), (await stack.transfers()).length]
    await stack.killWorker()
    const again = await buyer.pay(image, header)
    expect([again.status, await again.json()]).toEqual([200, await first.json()])
    expect([await stack.predictions(), (await stack.transfers()).length]).toEqual(counts)
    expect(decodeHeader(again.headers.get('Payment-Response'))).toEqual(
      decodeHeader(first.headers.get('Payment-Response')),
    )
  })

  it('behavior: a stream has each stage, the text as it grows, and ends with the result', async () => {
    const header = await buyer.sign(await buyer.quote(text))
    const endRun = await holdRun(stack, text.input.prompt)
    const response = await buyer.pay(text, header, { Accept: 'text/event-stream' })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    // The first piece comes while the run has no end yet.
    const { ended } = await readUntil(response, 'token')
    await endRun()
    const events = await ended
    const names = events.map(({ event }) => event)
    expect(names.slice(0, 2)).toEqual(['verified', 'settled'])
    expect(names.slice(-2)).toEqual(['stored', 'result'])
    const result = events.at(-1)?.data as Result
    const pieces = events.filter(({ event }) => event === 'token').map(({ data }) => (data as { text: string }).text)
    expect(pieces.join('')).toBe(result.output.text)
    expect(pieces.length).toBeGreaterThan(1)
    const replay = await readEvents(await buyer.pay(text, header, { Accept: 'text/event-stream' }))
    expect(replay.map(({ event }) => event)).toEqual(['settled', 'result'])
    expect(replay.at(-1)?.data).toEqual(result)
  })

  it('behavior: respond-async answers right after settlement; the status has the result', async () => {
    const header = await buyer.sign(await buyer.quote(text))
    const response = await buyer.pay(text, header, { Prefer: 'respond-async' })
    expect(response.status).toBe(202)
    const location = response.headers.get('Location') ?? ''
    const pending = await response.json()
    expect(pending).toMatchObject({ status: 'pending', output: null, statusUrl: location })
    await expect
      .poll(async () => (await (await buyer.call(location)).json()).status, { timeout: 30_000, interval: 250 })
      .toBe('succeeded')
    const record = await (await buyer.call(location)).json()
    expect(record).toMatchObject({ task: text.task, model: text.model, completedAt: expect.stringMatching(/Z$/) })
    expect(await (await buyer.pay(text, header)).json()).toMatchObject({ id: record.id, output: record.output })
  })

  it('error: inference_not_found for any other user', async () => {
    const other = await stack.signedIn(1)
    const { id } = await buyAndCheck(text)
    expect((await buyer.call(`/api/inference/${id}`)).status).toBe(200)
    const refused = await other.call(`/api/inference/${id}`)
    expect([refused.status, (await refused.json()).code]).toEqual([404, 'inference_not_found'])
  })
})

const fileSchema = z.object({ id: z.string(), output: z.object({ urls: z.tuple([z.string()]) }) })

it('behavior: a file too large to digest while it is copied is digested for its receipt', async () => {
  const input = { prompt: 'a slow tide', duration: 60 }
  const bought = await buyer.buy({ task: 'text-to-sound', model: 'stability-ai/stable-audio-2.5', input })
  const { id, output } = fileSchema.parse(await bought.json())
  const digests = async () =>
    (await stack.rows('payments')).find((row) => row['inference_id'] === id)?.['output_digests']
  const bytes = new Uint8Array(await (await fetch(output.urls[0])).arrayBuffer())
  expect(bytes.length).toBeGreaterThan(4 * 1024 * 1024)
  expect(await digests()).toEqual([null])

  const { receipt } = await verifyReceipt(await (await buyer.call(`/api/inference/${id}/receipt`)).json())
  expect(() => verifyOutputs(receipt, [bytes])).not.toThrow()
  expect(await digests()).toEqual([createHash('sha256').update(bytes).digest('hex')])
})
