import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { notingBudget } from '../testing/noting-budget.ts'
import { done, problem, RESULT, type Scripted, scriptedService, stream } from '../testing/scripted-service.ts'
import type { Account, TypedPayment } from './account.ts'
import { type CoinslotOptions, createCoinslot } from './coinslot.ts'
import { fromHeader } from './encoding.ts'
import { BudgetError, ProblemError, QuoteLapsedError, SignedOutError, SpendCapError } from './errors.ts'
import type { RunEvent } from './purchase/events.ts'
import type { Run } from './run.ts'

const request = { task: 'text-to-text', model: 'a/b', input: { prompt: 'hi' } } as const
const START = Date.parse('2026-07-01T10:00:00Z')
const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)

beforeEach(() => {
  vi.useFakeTimers({ now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A person at a shop: every signature is asked for and written down, and `sign` says how the wallet answers. */
function person(script: Scripted[], options: Partial<CoinslotOptions> = {}) {
  const service = scriptedService(script)
  const signed: TypedPayment[] = []
  const wallet = { sign: (payment: TypedPayment) => signer.signTypedData(payment) }
  const account: Account = {
    address: signer.address,
    signMessage: signer.signMessage,
    signTypedData: (payment) => {
      signed.push(payment)
      return wallet.sign(payment)
    },
  }
  const coinslot = createCoinslot({ origin: 'https://a.example', account, fetch: service.fetch, ...options })
  return { ...service, coinslot, signed, wallet }
}

async function priced({ coinslot }: ReturnType<typeof person>) {
  const quote = await coinslot.quote(request)
  const [offer] = quote.offers
  if (offer === undefined) throw new Error('no offer')
  return { quote, offer }
}

/** All that a run tells, and its error where it has one, however long it waits. */
async function told(run: Run): Promise<{ events: RunEvent[]; error: unknown }> {
  const events: RunEvent[] = []
  let error: unknown
  let isOver = false
  const reading = (async () => {
    for await (const event of run) events.push(event)
  })()
    .catch((cause: unknown) => {
      error = cause
    })
    .finally(() => {
      isOver = true
    })
  while (!isOver) await vi.advanceTimersByTimeAsync(1_000)
  await reading
  return { events, error }
}

const names = (events: RunEvent[]) => events.map(({ event }) => event)

describe('a price that a person looks at', () => {
  it('default: what the quote shows is what is signed, to the second, and what is sent', async () => {
    const shop = person([done])
    const { quote, offer } = await priced(shop)
    expect([quote.offers.length, offer.amount, quote.validBefore]).toEqual([1, 10_000n, START / 1_000 + 600])
    expect(shop.signed).toEqual([])
    // A person takes a minute.
    await vi.advanceTimersByTimeAsync(60_000)
    const { events } = await told(shop.coinslot.pay(quote, offer))
    expect(names(events)).toEqual(['signed', 'result'])
    expect(shop.signed.map(({ message }) => message)).toMatchObject([
      { value: offer.amount, to: offer.payTo, validBefore: BigInt(quote.validBefore), validAfter: 0n },
    ])
    expect(fromHeader(shop.sent[0] ?? '')).toMatchObject({ accepted: offer.raw, extensions: quote.extensions })
  })

  it('behavior: after a no in the wallet nothing is kept or sent, and the same quote can be paid', async () => {
    const shop = person([done])
    const { quote, offer } = await priced(shop)
    const yes = shop.wallet.sign
    shop.wallet.sign = () => Promise.reject(new Error('rejected'))
    expect((await told(shop.coinslot.pay(quote, offer))).error).toEqual(new Error('rejected'))
    expect([await shop.coinslot.unfinished(), shop.sent]).toEqual([[], []])
    shop.wallet.sign = yes
    expect(names((await told(shop.coinslot.pay(quote, offer))).events)).toEqual(['signed', 'result'])
    expect(shop.counts().quotes).toBe(1)
  })

  it('behavior: a signature that comes after the run was called off is thrown away', async () => {
    const shop = person([done])
    const { quote, offer } = await priced(shop)
    const late = Promise.withResolvers<`0x${string}`>()
    shop.wallet.sign = () => late.promise
    const leave = new AbortController()
    const ended = told(shop.coinslot.pay(quote, offer, { signal: leave.signal }))
    await vi.advanceTimersByTimeAsync(1_000)
    leave.abort(new Error('closed'))
    expect((await ended).error).toEqual(new Error('closed'))
    late.resolve('0x12')
    await vi.advanceTimersByTimeAsync(1_000)
    expect([shop.signed.length, await shop.coinslot.unfinished(), shop.sent]).toEqual([1, [], []])
  })

  it('error: QuoteLapsedError with less than 45 seconds left; nothing is signed', async () => {
    const shop = person([])
    const { quote, offer } = await priced(shop)
    vi.setSystemTime(START + 556_000)
    expect(() => shop.coinslot.pay(quote, offer)).toThrow(QuoteLapsedError)
    expect(shop.signed).toEqual([])
  })

  it('error: SpendCapError above a limit that was given, and for an offer of another quote', async () => {
    const shop = person([])
    const { quote, offer } = await priced(shop)
    expect(() => shop.coinslot.pay(quote, offer, { maxUsdc: '0.009999' })).toThrow(SpendCapError)
    expect(() => shop.coinslot.pay(quote, { ...offer })).toThrow(SpendCapError)
    expect(shop.signed).toEqual([])
  })

  it('behavior: a budget counts what is paid, and refuses a token that it cannot count', async () => {
    const { budget, told: noted } = notingBudget(0)
    const shop = person([done], { budget })
    const { quote, offer } = await priced(shop)
    const aic = { ...offer, version: '1', asset: '0x1111111111111111111111111111111111111111' } as const
    expect(() => shop.coinslot.pay({ ...quote, offers: [aic] }, aic)).toThrow(BudgetError)
    await told(shop.coinslot.pay(quote, offer))
    expect(noted).toEqual(['reserve 10000'])
  })
})

describe('where the caller signs in', () => {
  const signedOut = problem(401, { code: 'unauthenticated', nextAction: 'sign_in' })
  const callers = { signsIn: 'caller' } as const

  it('error: SignedOutError in the middle keeps the payment; after the sign-in resume goes on with it', async () => {
    const shop = person([signedOut, done], callers)
    const { quote, offer } = await priced(shop)
    const { error } = await told(shop.coinslot.pay(quote, offer))
    expect(error).toBeInstanceOf(SignedOutError)
    expect(shop.counts().signIns).toBe(0)
    const [kept] = await shop.coinslot.unfinished()
    expect(error).toMatchObject({ paymentId: kept?.id })
    await shop.coinslot.signIn()
    expect(names((await told(shop.coinslot.resume(kept?.id ?? ''))).events)).toEqual(['resumed', 'result'])
    expect([shop.signed.length, new Set(shop.sent).size, shop.sent.length]).toEqual([1, 1, 2])
  })

  it('error: unauthenticated before the price is the answer of the service', async () => {
    const json = JSON.stringify({ code: 'unauthenticated', nextAction: 'sign_in' })
    const shop = person([], { ...callers, fetch: async () => new Response(json, { status: 401 }) })
    await expect(shop.coinslot.quote(request)).rejects.toThrow(ProblemError)
  })

  it('behavior: a CSRF token is renewed without a signature, and asked for again where that failed', async () => {
    const lapsed = problem(403, { code: 'csrf_failed' })
    const { fetch, ...service } = scriptedService([lapsed, lapsed, done])
    const asked: string[] = []
    const shop = person([], {
      ...callers,
      tries: 1,
      fetch: (url, init) => {
        const { pathname } = new URL(url)
        if (!pathname.startsWith('/api/auth/')) return fetch(url, init)
        asked.push(`${init.method} ${pathname}`)
        return asked.length === 1 ? Promise.reject(new TypeError('fetch failed')) : fetch(url, init)
      },
    })
    const { quote, offer } = await priced(shop)
    expect(names((await told(shop.coinslot.pay(quote, offer, { tries: 12 }))).events)).toEqual([
      'signed',
      'again',
      'again',
      'result',
    ])
    expect(asked).toEqual(['GET /api/auth/session', 'GET /api/auth/session'])
    expect(new Set(service.sent).size).toBe(1)
  })
})

describe('an app that waits for a person', () => {
  it('behavior: with no limit of tries it goes on, and spends its waits as the app says', async () => {
    const waits: number[] = []
    const sleep = async (ms: number): Promise<void> => void waits.push(ms)
    const shop = person([...Array.from({ length: 50 }, (): Scripted => 'cut'), done], { tries: Infinity, sleep })
    const { quote, offer } = await priced(shop)
    const { events } = await told(shop.coinslot.pay(quote, offer, { timeoutSeconds: Infinity }))
    expect(events.at(-1)).toEqual({ event: 'result', result: RESULT })
    expect([waits.length, new Set(shop.sent).size]).toEqual([50, 1])
    expect(Math.max(...waits)).toBeLessThanOrEqual(12_500)
  })

  it('behavior: it is told why a wait is, and when the service is back', async () => {
    const limited = problem(429, { code: 'rate_limited', paymentState: 'unused', nextAction: 'wait_and_retry' })
    const shop = person([limited, 'cut', stream(['verified', {}], ['result', RESULT])])
    const { quote, offer } = await priced(shop)
    const { events } = await told(shop.coinslot.pay(quote, offer))
    expect(names(events)).toEqual(['signed', 'again', 'again', 'connected', 'verified', 'result'])
    expect(events[1]).toMatchObject({ problem: { code: 'rate_limited', paymentState: 'unused' } })
    expect(events[2]).not.toHaveProperty('problem')
  })

  it('behavior: the page of a Wi-Fi or a proxy is no result and no end, whatever its status', async () => {
    const page = (status: number): Scripted => ({ status, body: '<html>sign in to the Wi-Fi</html>' })
    const shop = person([page(200), page(403), page(404), done])
    const { quote, offer } = await priced(shop)
    expect((await told(shop.coinslot.pay(quote, offer))).events.at(-1)).toEqual({ event: 'result', result: RESULT })
    expect([shop.sent.length, new Set(shop.sent).size]).toEqual([4, 1])
  })

  it('behavior: a payment that was given up is not sent again', async () => {
    const rejected = problem(402, { code: 'payment_rejected', paymentState: 'unused', nextAction: 'sign_new_payment' })
    const shop = person([rejected, done])
    const { quote, offer } = await priced(shop)
    expect((await told(shop.coinslot.pay(quote, offer))).error).toBeInstanceOf(ProblemError)
    const [kept] = await shop.coinslot.unfinished()
    await shop.coinslot.forget(kept?.id ?? '')
    expect(names((await told(shop.coinslot.run(request))).events)).toEqual(['quoted', 'signed', 'result'])
    expect(new Set(shop.sent).size).toBe(2)
  })
})
