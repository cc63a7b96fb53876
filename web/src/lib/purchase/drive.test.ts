import { describe, expect, it } from 'vitest'
import { type DriveNews, drive } from './drive.ts'
import type { SignedPayment } from './payment-store.ts'

const payment: SignedPayment = {
  payer: '0xabc',
  header: 'the-header',
  body: '{"task":"text-to-text"}',
  label: {
    model: 'm',
    modelName: 'M',
    task: 'text-to-text',
    amount: '0.01',
    symbol: 'USDC',
    network: 'eip155:1',
    estimatedSeconds: 3,
  },
  signedAtMs: 0,
}
const INFERENCE = { id: 'i1', status: 'succeeded', output: { type: 'text', text: 'hi' }, metrics: {} }

type Scripted = Response | (() => Response | Promise<Response>)

/** Runs a drive against scripted answers, the last of them for ever; waits take no time and are written down. */
async function run(...script: Scripted[]) {
  const sent: SignedPayment[] = []
  const news: DriveNews[] = []
  const waits: number[] = []
  let refreshed = 0
  const ending = await drive(
    {
      send: async (sending) => {
        const next = script[Math.min(sent.push(sending), script.length) - 1]
        if (next === undefined) throw new Error('no script')
        return typeof next === 'function' ? next() : next.clone()
      },
      refreshCsrf: async () => {
        refreshed += 1
      },
      wait: async (ms) => {
        waits.push(ms)
      },
      report: (item) => news.push(item),
    },
    payment,
    new AbortController().signal,
  )
  return { ending, sent, news, waits, refreshed }
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

const events = (...list: [string, unknown][]) =>
  new Response(list.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  })

const broken = (): Response => {
  throw new TypeError('network')
}

describe('drive', () => {
  it('default: follows the stream to its result', async () => {
    const { ending, sent, news } = await run(events(['verified', {}], ['token', { text: 'h' }], ['result', INFERENCE]))
    expect(ending).toMatchObject({ end: 'result', inference: { id: 'i1', output: { text: 'hi' } } })
    expect(sent).toHaveLength(1)
    expect(news.map(({ kind }) => kind)).toEqual(['connected', 'stage', 'token'])
  })

  it('behavior: a broken line sends the very same payment again, each time a little later', async () => {
    const { ending, sent, waits } = await run(broken, broken, broken, json(200, INFERENCE))
    expect(ending.end).toBe('result')
    expect(sent).toEqual([payment, payment, payment, payment])
    expect(waits).toEqual([1000, 2000, 4000])
  })

  it('behavior: a stream that ends without an end is a broken line', async () => {
    const { ending, sent } = await run(events(['settled', {}]), events(['result', INFERENCE]))
    expect(ending.end).toBe('result')
    expect(sent).toHaveLength(2)
  })

  it('behavior: a proxy’s page with status 200 is no result', async () => {
    const page = new Response('<html>sign in to the Wi-Fi</html>', { headers: { 'content-type': 'text/html' } })
    const { ending, sent } = await run(page, json(200, INFERENCE))
    expect(ending.end).toBe('result')
    expect(sent).toHaveLength(2)
  })

  it('behavior: pending, as an event or as 202, means the same call again', async () => {
    const { ending, sent, waits } = await run(
      events(['pending', { id: 'i1', status: 'pending' }]),
      json(202, { id: 'i1', status: 'pending' }, { 'retry-after': '7' }),
      json(200, INFERENCE),
    )
    expect(ending.end).toBe('result')
    expect(sent).toHaveLength(3)
    expect(waits).toEqual([2000, 7000])
  })

  it('error: settlement_unknown is asked again and never signed anew', async () => {
    const unknown = json(503, { code: 'settlement_unknown', nextAction: 'poll', paymentState: 'unknown' })
    const { ending, sent } = await run(unknown, unknown, json(200, INFERENCE))
    expect(ending.end).toBe('result')
    expect(sent).toHaveLength(3)
  })

  it('error: payment_rejected ends with the fresh quote that came with it', async () => {
    const { ending } = await run(
      json(402, { code: 'payment_rejected', nextAction: 'sign_new_payment' }, { 'payment-required': 'abc' }),
    )
    expect(ending).toMatchObject({ end: 'sign_again', quoteHeader: 'abc' })
  })

  it('error: unauthenticated ends with the payment kept for the sign-in', async () => {
    expect((await run(json(401, { code: 'unauthenticated', nextAction: 'sign_in' }))).ending.end).toBe('sign_in')
  })

  it('error: csrf_failed fetches a new token and goes on at once', async () => {
    const { ending, refreshed, waits } = await run(json(403, { code: 'csrf_failed' }), json(200, INFERENCE))
    expect(ending.end).toBe('result')
    expect([refreshed, waits]).toEqual([1, []])
  })

  it('error: inference_failed in the stream is final', async () => {
    const { ending, sent } = await run(
      events(['error', { code: 'inference_failed', status: 502, nextAction: 'give_up' }]),
    )
    expect(ending).toMatchObject({ end: 'stopped', problem: { code: 'inference_failed', status: 502 } })
    expect(sent).toHaveLength(1)
  })
})
