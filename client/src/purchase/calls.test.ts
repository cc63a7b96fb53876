import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fromHeader } from '../../../protocol/base64.ts'
import { done, PLAIN_ACCOUNT, problem, RESULT, type Scripted, scriptedService } from '../../testing/scripted-service.ts'
import { makeBuyer } from '../buyer.ts'
import { createCoinslot } from '../coinslot.ts'
import { fieldsAt, isFields, textAt } from '../json-fields.ts'
import { signRequests } from '../session/signed-requests.ts'
import { type Fetch, makeTransport } from '../session/transport.ts'
import { memoryStore } from '../store.ts'

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const image = { task: 'text-to-image', model: 'a/b', input: { prompt: 'hi' } } as const
const STAKER = { ...PLAIN_ACCOUNT, discountPct: '10.00' }

/** The number of calls that docs/design/client.md states. */
function documented(what: string): number {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/design/client.md'), 'utf8')
  const row = page.split('\n').find((line) => line.startsWith(`| ${what} `))
  return Number(row?.split('|')[2])
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-07-01T10:00:00Z') })
})

function setUp(
  script: Scripted[],
  options: Parameters<typeof scriptedService>[1] = {},
  spoil?: (fetch: Fetch) => Fetch,
) {
  const service = scriptedService(script, options)
  const fetch = spoil?.(service.fetch) ?? service.fetch
  return { ...service, coinslot: createCoinslot({ origin: 'https://a.example', account, fetch, chainId: 8453 }) }
}

/** Buys, however long it waits. Returns the result or the error. */
async function buy({ coinslot }: Pick<ReturnType<typeof setUp>, 'coinslot'>, options = {}): Promise<unknown> {
  let isOver = false
  const ended = coinslot
    .run(image, options)
    .result()
    .catch((error: unknown) => error)
    .finally(() => {
      isOver = true
    })
  while (!isOver) await vi.advanceTimersByTimeAsync(1_000)
  return ended
}

const challengeOf = (nonce: string): Scripted => {
  const supportedChains = [{ chainId: 'eip155:8453', type: 'eip191' }]
  const extensions = { 'sign-in-with-x': { info: { nonce }, supportedChains } }
  return problem(402, { code: 'payment_required', nextAction: 'sign_in', paymentState: 'unused', extensions })
}

const amountOf = (header: string | undefined): string | undefined => {
  const sent = fromHeader(header ?? '')
  return textAt(fieldsAt(isFields(sent) ? sent : {}, 'accepted'), 'amount')
}

describe('the calls of a purchase', () => {
  it('default: three for a wallet without a discount: price, account, payment with its proof', async () => {
    const service = setUp([done])
    expect(await buy(service)).toEqual(RESULT)
    expect(service.calls).toEqual(['POST /api/inference', 'GET /api/account proven', 'POST /api/inference proven'])
    expect(service.calls).toHaveLength(documented('`run`, a wallet without a discount'))
  })

  it('default: four for a wallet with a discount, which pays its own price', async () => {
    const service = setUp([done], { account: STAKER, ownAmount: '9000' })
    expect(await buy(service)).toEqual(RESULT)
    expect(service.calls).toEqual([
      'POST /api/inference',
      'GET /api/account proven',
      'POST /api/inference proven',
      'POST /api/inference proven',
    ])
    expect(service.calls).toHaveLength(documented('`run`, a wallet with a discount'))
    expect(amountOf(service.sent[0])).toBe('9000')
  })

  it('default: the next purchase reads the account while it asks for the price', async () => {
    let [open, atOnce] = [0, 0]
    const counting =
      (fetch: Fetch): Fetch =>
      async (url, init) => {
        open += 1
        atOnce = Math.max(atOnce, open)
        await new Promise((resolve) => setTimeout(resolve, 100))
        open -= 1
        return fetch(url, init)
      }
    const service = setUp([done, done], {}, counting)
    await buy(service)
    expect([service.calls.length, atOnce]).toEqual([3, 1])
    await buy(service)
    expect([service.calls.length, atOnce]).toEqual([6, 2])
  })

  it('default: a price for a person is the own one, with two calls; the payment is the third', async () => {
    const service = setUp([done], { ownAmount: '9000' })
    const quote = await service.coinslot.quote(image)
    const [offer] = quote.offers
    if (offer === undefined) throw new Error('no offer')
    await service.coinslot.pay(quote, offer).result()
    expect(service.calls).toEqual(['POST /api/inference', 'POST /api/inference proven', 'POST /api/inference proven'])
    expect(service.calls).toHaveLength(documented('`quote` and `pay`'))
    expect(amountOf(service.sent[0])).toBe('9000')
  })

  it('default: an estimate is for the account, with one more call for a challenge', async () => {
    const { coinslot, calls } = setUp([])
    await coinslot.estimate({ task: 'text-to-image', model: 'a/b' })
    expect(calls).toHaveLength(documented('`estimate`'))
    await coinslot.estimate({ task: 'text-to-image', model: 'a/b' })
    const estimate = 'POST /api/inference/estimate proven'
    expect(calls).toEqual(['GET /api/account', estimate, estimate])
  })

  it('default: a read gets its challenge first, later reads do not', async () => {
    const { coinslot, calls } = setUp([])
    await coinslot.account()
    expect(calls).toHaveLength(documented('`account`, `get`, `history`, `receipt`: the first'))
    calls.length = 0
    await coinslot.account()
    expect(calls).toHaveLength(documented('the same within five minutes'))
  })

  it('behavior: where the account cannot be read, the own price is asked for', async () => {
    const service = setUp([done], { account: { code: 'rate_limited' }, ownAmount: '9000' })
    expect(await buy(service)).toEqual(RESULT)
    expect([service.calls.length, amountOf(service.sent[0])]).toEqual([4, '9000'])
  })
})

/** Spoils the answer of the n-th call: it is lost after the service has done its work. */
const losing =
  (nth: number) =>
  (fetch: Fetch): Fetch => {
    let calls = 0
    return async (url, init) => {
      calls += 1
      const isLost = calls === nth
      const answer = await fetch(url, init)
      if (isLost) throw new TypeError('fetch failed')
      return answer
    }
  }

describe('what goes wrong between the calls', () => {
  it.each([1, 2, 3, 4])('behavior: the answer of call %i is lost: one payment, one result', async (nth) => {
    const service = setUp([done, done], { account: STAKER }, losing(nth))
    expect(await buy(service)).toEqual(RESULT)
    expect(new Set(service.sent).size).toBe(1)
    expect(await service.coinslot.unfinished()).toEqual([])
  })

  const refusals: [string, Scripted][] = [
    ['expired', problem(400, { code: 'invalid_siwe_message', nextAction: 'sign_in' })],
    ['used before', problem(401, { code: 'nonce_used', nextAction: 'sign_in', paymentState: 'unknown' })],
    ['not taken for a signature', problem(401, { code: 'invalid_signature', nextAction: 'sign_in' })],
  ]
  it.each(refusals)('behavior: a paid call whose proof is %s is sent again with another', async (_, refusal) => {
    const asked = challengeOf('anotherchallenge')
    const service = setUp([refusal, asked, done])
    expect(await buy(service)).toEqual(RESULT)
    expect(service.calls.slice(2)).toEqual([
      'POST /api/inference proven',
      'POST /api/inference',
      'POST /api/inference proven',
    ])
    expect(new Set(service.sent).size).toBe(1)
  })

  it('behavior: a kept payment is delivered without a proof, or with another', async () => {
    const service = setUp(['cut', done, 'cut', challengeOf('anotherchallenge'), done])
    for (const end of [['POST /api/inference'], ['POST /api/inference', 'POST /api/inference proven']]) {
      for await (const { event } of service.coinslot.run(image)) if (event === 'signed') break
      const [kept] = await service.coinslot.unfinished()
      service.calls.length = 0
      const run = service.coinslot.resume(kept?.id ?? '').result()
      await vi.advanceTimersByTimeAsync(5_000)
      expect(await run).toEqual(RESULT)
      expect(service.calls.slice(1)).toEqual(end)
    }
    expect(new Set(service.sent).size).toBe(2)
  })

  it('behavior: the record of a run that takes longer than a proof is read with a second one', async () => {
    const pending: Scripted = {
      status: 202,
      body: { id: RESULT.id, status: 'pending' },
      headers: { 'Retry-After': '30' },
    }
    const service = setUp([...Array.from({ length: 15 }, () => pending), done])
    expect(await buy(service)).toEqual(RESULT)
    expect(service.sent).toHaveLength(1)
    const reads = service.calls.filter((call) => call.startsWith(`GET /api/inference/`))
    expect(reads.filter((call) => !call.endsWith('proven'))).toHaveLength(1)
  })

  it('behavior: a proof for the payment alone is signed once for a long run', async () => {
    const pending: Scripted = { status: 202, body: { id: RESULT.id, status: 'pending' } }
    const { fetch, sent, calls } = scriptedService([...Array.from({ length: 7 }, () => pending), done])
    const transport = makeTransport({ origin: 'https://a.example', fetch })
    const signMessage = vi.fn(account.signMessage)
    const signs = signRequests(transport, () => ({ ...account, signMessage }), 8453)
    let isPayment = true
    const proof: typeof signs = {
      ...signs,
      headers: async (path, challenge) => {
        isPayment = path === '/api/inference'
        return isPayment ? signs.headers(path, challenge) : {}
      },
      renew: async (refusal) => (isPayment ? signs.renew(refusal) : undefined),
    }
    const coinslot = {
      ...setUp([]).coinslot,
      ...makeBuyer({ transport, account: () => account, store: memoryStore(), proof }),
    }
    expect(await buy({ coinslot })).toEqual(RESULT)
    expect([new Set(sent).size, sent.length]).toEqual([1, 8])
    expect(calls.filter((call) => call.startsWith('POST') && !call.endsWith('proven'))).toHaveLength(1)
    expect(signMessage).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['above the limit', STAKER, 'SpendCapError'],
    ['above the balance', { ...STAKER, balances: { usdc: '0.015000' } }, 'InsufficientFundsError'],
  ])('error: an own price that is %s is not signed, whatever the first one was', async (_, who, name) => {
    const service = setUp([], { account: who, amount: '10000', ownAmount: '20000' })
    const maxUsdc = name === 'SpendCapError' ? '0.01' : '1'
    expect(await buy(service, { maxUsdc })).toMatchObject({ name })
    expect([service.sent, await service.coinslot.unfinished()]).toEqual([[], []])
  })

  it('error: a service that never accepts a proof ends the purchase before a payment is signed', async () => {
    const service = setUp([], { account: STAKER }, (fetch) => (url, init) => fetch(url, { ...init, headers: {} }))
    expect(await buy(service)).toMatchObject({ message: 'the service keeps asking for a proof of the wallet' })
    expect(service.calls.length).toBeLessThan(12)
  })
})
