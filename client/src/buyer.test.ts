import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fromHeader } from '../../protocol/base64.ts'
import {
  done,
  problem,
  RESULT,
  recordingBudget,
  type Scripted,
  scriptedService,
  stream,
} from '../testing/scripted-service.ts'
import type { Account, TypedPayment } from './account.ts'
import { type BuyerParts, makeBuyer } from './buyer.ts'
import { BudgetError, ProblemError, QuoteExpiredError, SignedOutError, SpendCapError } from './errors.ts'
import type { RunEvent } from './purchase/events.ts'
import type { Run } from './run.ts'
import { type Fetch, makeTransport } from './session/transport.ts'
import { cookieSession } from './session/wallet-proof.ts'
import { memoryStore } from './store.ts'

const request = { task: 'text-to-text', model: 'a/b', input: { prompt: 'hi' } } as const
const START = Date.parse('2026-07-01T10:00:00Z')
const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)

beforeEach(() => {
  vi.useFakeTimers({ now: START })
})

/** A person at a page, signed in. Every signature is recorded, and `sign` is the wallet's answer. */
function person(script: Scripted[], { fetch, ...options }: Partial<BuyerParts> & { fetch?: Fetch } = {}) {
  const service = scriptedService(script, { hasSession: true })
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
  const transport = makeTransport({ origin: 'https://a.example', fetch: fetch ?? service.fetch })
  const parts = { transport, account: () => account, store: memoryStore(), proof: cookieSession(transport) }
  const coinslot = makeBuyer({ ...parts, chainId: 8453, ...options })
  return { ...service, coinslot, signed, wallet }
}

async function priced({ coinslot }: ReturnType<typeof person>) {
  const quote = await coinslot.quote(request)
  const [offer] = quote.offers
  if (offer === undefined) throw new Error('no offer')
  return { quote, offer }
}

/** All events of a run, and its error, however long it waits. */
async function collect(run: Run): Promise<{ events: RunEvent[]; error: unknown }> {
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
  it('default: exactly the quote is signed and sent', async () => {
    const page = person([done])
    const { quote, offer } = await priced(page)
    expect([quote.offers.length, offer.amount, quote.validBefore]).toEqual([1, 10_000n, START / 1_000 + 600])
    expect(page.signed).toEqual([])
    // A person takes a minute.
    await vi.advanceTimersByTimeAsync(60_000)
    const { events } = await collect(page.coinslot.pay(quote, offer))
    expect(names(events)).toEqual(['signed', 'result'])
    expect(page.signed.map(({ message }) => message)).toMatchObject([
      { value: offer.amount, to: offer.payTo, validBefore: BigInt(quote.validBefore), validAfter: 0n },
    ])
    expect(fromHeader(page.sent[0] ?? '')).toMatchObject({ accepted: offer.raw, extensions: quote.extensions })
  })

  it('behavior: after a refusal in the wallet nothing is kept, and the quote can still be paid', async () => {
    const page = person([done])
    const { quote, offer } = await priced(page)
    const yes = page.wallet.sign
    page.wallet.sign = () => Promise.reject(new Error('rejected'))
    expect((await collect(page.coinslot.pay(quote, offer))).error).toEqual(new Error('rejected'))
    expect([await page.coinslot.unfinished(), page.sent]).toEqual([[], []])
    page.wallet.sign = yes
    expect(names((await collect(page.coinslot.pay(quote, offer))).events)).toEqual(['signed', 'result'])
    expect(page.counts().quotes).toBe(1)
  })

  it('behavior: a signature that arrives after the abort is dropped', async () => {
    const page = person([done])
    const { quote, offer } = await priced(page)
    const late = Promise.withResolvers<`0x${string}`>()
    page.wallet.sign = () => late.promise
    const leave = new AbortController()
    const ended = collect(page.coinslot.pay(quote, offer, { signal: leave.signal }))
    await vi.advanceTimersByTimeAsync(1_000)
    leave.abort(new Error('closed'))
    expect((await ended).error).toEqual(new Error('closed'))
    late.resolve('0x12')
    await vi.advanceTimersByTimeAsync(1_000)
    expect([page.signed.length, await page.coinslot.unfinished(), page.sent]).toEqual([1, [], []])
  })

  it('error: QuoteExpiredError with less than 45 seconds left; nothing is signed', async () => {
    const page = person([])
    const { quote, offer } = await priced(page)
    vi.setSystemTime(START + 556_000)
    expect(() => page.coinslot.pay(quote, offer)).toThrow(QuoteExpiredError)
    expect(page.signed).toEqual([])
  })

  it('error: SpendCapError above the limit, and for an offer of another quote', async () => {
    const page = person([])
    const { quote, offer } = await priced(page)
    expect(() => page.coinslot.pay(quote, offer, { maxUsdc: '0.009999' })).toThrow(SpendCapError)
    expect(() => page.coinslot.pay(quote, { ...offer })).toThrow(SpendCapError)
    expect(page.signed).toEqual([])
  })

  it('behavior: a budget counts payments, and refuses a token that it cannot count', async () => {
    const { budget, calls: noted } = recordingBudget()
    const page = person([done], { budget })
    const { quote, offer } = await priced(page)
    const aic = { ...offer, version: '1', asset: '0x1111111111111111111111111111111111111111' } as const
    expect(() => page.coinslot.pay({ ...quote, offers: [aic] }, aic)).toThrow(BudgetError)
    await collect(page.coinslot.pay(quote, offer))
    expect(noted).toEqual(['reserve 10000'])
  })
})

describe('where the caller signs in, by cookie', () => {
  const signedOut = problem(401, { code: 'unauthenticated', nextAction: 'sign_in' })

  it('error: SignedOutError keeps the payment, and resume continues after the sign-in', async () => {
    const page = person([signedOut, done])
    const { quote, offer } = await priced(page)
    const { error } = await collect(page.coinslot.pay(quote, offer))
    expect(error).toBeInstanceOf(SignedOutError)
    expect(page.counts().signIns).toBe(0)
    const [kept] = await page.coinslot.unfinished()
    expect(error).toMatchObject({ paymentId: kept?.id })
    expect(names((await collect(page.coinslot.resume(kept?.id ?? ''))).events)).toEqual(['resumed', 'result'])
    expect([page.signed.length, new Set(page.sent).size, page.sent.length]).toEqual([1, 1, 2])
  })

  it('error: unauthenticated before the price is the answer of the service', async () => {
    const json = JSON.stringify({ code: 'unauthenticated', nextAction: 'sign_in' })
    const page = person([], { fetch: async () => new Response(json, { status: 401 }) })
    await expect(page.coinslot.quote(request)).rejects.toThrow(ProblemError)
  })

  it('behavior: a CSRF token is renewed without a signature, and again after a failure', async () => {
    const expired = problem(403, { code: 'csrf_failed' })
    const { fetch, ...service } = scriptedService([expired, expired, done], { hasSession: true })
    const asked: string[] = []
    const page = person([], {
      tries: 1,
      fetch: (url, init) => {
        const { pathname } = new URL(url)
        if (!pathname.startsWith('/api/auth/')) return fetch(url, init)
        asked.push(`${init.method} ${pathname}`)
        return asked.length === 1 ? Promise.reject(new TypeError('fetch failed')) : fetch(url, init)
      },
    })
    const { quote, offer } = await priced(page)
    expect(names((await collect(page.coinslot.pay(quote, offer, { tries: 12 }))).events)).toEqual([
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
  it('behavior: without a limit of tries it continues, and waits as the app decides', async () => {
    const waits: number[] = []
    const sleep = async (ms: number): Promise<void> => void waits.push(ms)
    const page = person([...Array.from({ length: 50 }, (): Scripted => 'cut'), done], { tries: Infinity, sleep })
    const { quote, offer } = await priced(page)
    const { events } = await collect(page.coinslot.pay(quote, offer, { timeoutSeconds: Infinity }))
    expect(events.at(-1)).toEqual({ event: 'result', result: RESULT })
    expect([waits.length, new Set(page.sent).size]).toEqual([50, 1])
    expect(Math.max(...waits)).toBeLessThanOrEqual(12_500)
  })

  it('behavior: events say why it waits, and when the service answers again', async () => {
    const limited = problem(429, { code: 'rate_limited', paymentState: 'unused', nextAction: 'wait_and_retry' })
    const page = person([limited, 'cut', stream(['verified', {}], ['result', RESULT])])
    const { quote, offer } = await priced(page)
    const { events } = await collect(page.coinslot.pay(quote, offer))
    expect(names(events)).toEqual(['signed', 'again', 'again', 'connected', 'verified', 'result'])
    expect(events[1]).toMatchObject({ problem: { code: 'rate_limited', paymentState: 'unused' } })
    expect(events[2]).not.toHaveProperty('problem')
  })

  it('behavior: the page of a Wi-Fi or a proxy never ends a run, whatever its status', async () => {
    const htmlPage = (status: number): Scripted => ({ status, body: '<html>sign in to the Wi-Fi</html>' })
    const page = person([htmlPage(200), htmlPage(403), htmlPage(404), done])
    const { quote, offer } = await priced(page)
    expect((await collect(page.coinslot.pay(quote, offer))).events.at(-1)).toEqual({ event: 'result', result: RESULT })
    expect([page.sent.length, new Set(page.sent).size]).toEqual([4, 1])
  })

  it('behavior: a payment that was given up is not sent again', async () => {
    const rejected = problem(402, { code: 'payment_rejected', paymentState: 'unused', nextAction: 'sign_new_payment' })
    const page = person([rejected, done])
    const { quote, offer } = await priced(page)
    expect((await collect(page.coinslot.pay(quote, offer))).error).toBeInstanceOf(ProblemError)
    const [kept] = await page.coinslot.unfinished()
    await page.coinslot.forget(kept?.id ?? '')
    expect(names((await collect(page.coinslot.run(request))).events)).toEqual(['quoted', 'signed', 'result'])
    expect(new Set(page.sent).size).toBe(2)
  })
})
