import type { BenchContext, Benchmark, BenchmarkResult, Figure } from '../benchmark.ts'
import { load } from '../measure/load.ts'
import { cpuSeconds } from '../measure/process.ts'
import { inTurn, median, pairedRatios, percentile, ratioText, summary } from '../measure/stats.ts'
import { type StubProcess, startStubProcess } from '../stubs/start.ts'
import { bundleOf, serveBaseline } from '../workerd/baseline.ts'
import {
  type OurSide,
  REQUEST,
  serveCoinslot,
  serveWithAic,
  serveWithLimits,
  signedInBuyer,
} from '../workerd/coinslot.ts'
import type { Served } from '../workerd/serve.ts'

const CONNECTIONS = 16
/** Signed-in buyers who take turns, so that no cookie is seen twice in a row. */
const BUYERS = 64
/** Calls whose price is known, during which no call may leave. */
const COUNTED_CALLS = 1000
/** Our worker reaches its level after so many calls. */
const WARM_CALLS = 10_000
const CALLS = 4000

interface Sample {
  perSecond: number
  p99: number
  /** Processor milliseconds of workerd for 1,000 requests. */
  cpuMs: number
}

export const unpaid: Benchmark = {
  name: 'unpaid',
  title: 'Unpaid call, answered 402',
  async run(context) {
    const stubs = await startStubProcess({ fileBytes: 1024, kind: 'image' })
    context.defer(stubs.stop)
    const ours = await serveCoinslot(stubs, context.dir)
    context.defer(ours.stop)
    const callers = await callersOf(ours)
    const { bare, stock } = await peersOf(context, stubs, ours, callers)
    const calls = await callsWhenWarm(ours, callers, stubs)
    const { quick } = context
    const amount = quick ? CALLS / 10 : CALLS
    const limits = await withCallers(await serveWithLimits(context, stubs, ours))
    const aic = await withCallers(await serveWithAic(context, stubs, ours))
    const sides = [{ side: ours, callers }, limits, aic, { side: bare, callers }, { side: stock, callers }]
    const warm = quick ? WARM_CALLS / 4 : WARM_CALLS
    for (const one of sides) await answer(one.side, one.callers, warm)
    const samples = await inTurn(quick ? 2 : 9, [
      ['ours', () => sample(ours, callers, amount)],
      ['limits', () => sample(limits.side, limits.callers, amount)],
      ['aic', () => sample(aic.side, aic.callers, amount)],
      ['bare', () => sample(bare, callers, amount)],
      ['stock', () => sample(stock, callers, amount)],
    ])
    const floor = await floorOf(context, stubs, ours, { callers, warm })
    return resultOf(samples, { calls, amount, warm, floor, header: (await answerOf(ours)).header })
  },
}

/** The two baselines: the payment middleware alone, and what a product takes around it from stock parts. */
async function peersOf({ dir, defer }: BenchContext, stubs: StubProcess, ours: OurSide, callers: Callers) {
  const bare = await serveBaseline({ stubs, dir, bundle: await bundleOf('unpaid', dir, ours.bundle) })
  defer(bare.stop)
  const stock = await serveBaseline({
    stubs,
    dir,
    bundle: await bundleOf('unpaid-stock', dir, ours.bundle),
    env: { SESSION_SECRET: ours.env['SESSION_SECRET'] ?? '' },
    headers: callers[0] ?? {},
  })
  defer(stock.stop)
  return { bare, stock }
}

/** The headers of each buyer's calls. */
async function callersOf({ env }: OurSide): Promise<Callers> {
  const buyers = await Promise.all(Array.from({ length: BUYERS }, (_, index) => signedInBuyer(env, index + 1)))
  return buyers.map(({ cookies }) => cookies.headers)
}

/** A side with its own callers: the worker checks that `Origin` is its own. */
const withCallers = async (side: OurSide): Promise<{ side: OurSide; callers: Callers }> => ({
  side,
  callers: await callersOf(side),
})

/** Has so many calls answered with 402. */
async function answer({ origin }: Served, callers: Callers, amount: number): Promise<number> {
  const { url, body } = { url: `${origin}/api/inference`, body: JSON.stringify(REQUEST) }
  return (await load({ url, body, callers, connections: CONNECTIONS, amount, expect: 402 })).requests
}

type Callers = readonly Record<string, string>[]

async function sample(side: Served, callers: Callers, amount: number): Promise<Sample> {
  const before = cpuSeconds(side.pid)
  const { url, body } = { url: `${side.origin}/api/inference`, body: JSON.stringify(REQUEST) }
  const done = await load({ url, body, callers, connections: CONNECTIONS, amount, expect: 402 })
  const cpuMs = ((cpuSeconds(side.pid) - before) * 1e6) / done.requests
  return { perSecond: done.perSecond, p99: percentile(done.latencies, 99), cpuMs }
}

/** The time of such a call in the runtime itself: one of the worker's answers, sent each time. */
async function floorOf(
  { dir, quick, defer }: BenchContext,
  stubs: StubProcess,
  ours: OurSide,
  { callers, warm }: { callers: Callers; warm: number },
): Promise<Sample[]> {
  const bundle = await bundleOf('noop', dir, ours.bundle)
  const nothing = await serveBaseline({ stubs, dir, bundle, env: { ANSWER: (await answerOf(ours)).text } })
  defer(nothing.stop)
  const amount = quick ? CALLS / 10 : CALLS
  await answer(nothing, callers, warm)
  const samples: Sample[] = []
  for (let round = 0; round < 3; round += 1) samples.push(await sample(nothing, callers, amount))
  return samples
}

/** One of the worker's answers as JSON, and the length of its `Payment-Required`. */
async function answerOf(ours: OurSide): Promise<{ text: string; header: number }> {
  const [caller] = await callersOf(ours)
  const response = await fetch(`${ours.origin}/api/inference`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...caller },
    body: JSON.stringify(REQUEST),
  })
  const ownOfHttp = ['content-length', 'transfer-encoding', 'date', 'connection']
  const headers = [...response.headers].filter(([name]) => !ownOfHttp.includes(name))
  const text = JSON.stringify({ headers: Object.fromEntries(headers), body: await response.text() })
  return { text, header: response.headers.get('payment-required')?.length ?? 0 }
}

/** Calls to database, facilitator and chain during 1,000 requests whose price is known. */
async function callsWhenWarm(ours: Served, callers: Callers, stubs: StubProcess): Promise<number> {
  const total = async (): Promise<number> => {
    const { database, supported, verify, settle, rpc } = await stubs.counts()
    return database + supported + verify + settle + rpc
  }
  // The first call reads what the facilitator supports and the models' sums.
  await answer(ours, callers, CONNECTIONS)
  const before = await total()
  await answer(ours, callers, COUNTED_CALLS)
  return (await total()) - before
}

type Ours = 'ours' | 'limits' | 'aic'
type Peer = 'bare' | 'stock'
type Samples = ReadonlyMap<Ours | Peer, Sample[]>

const NAMES = { bare: 'the bare middleware', stock: 'stock parts' }

interface Facts {
  calls: number
  amount: number
  /** Calls of each side before it was measured. */
  warm: number
  floor: Sample[]
  header: number
}

const cpu = ['processor time of workerd per 1,000', 'cpuMs', 'ms'] as const
const perSecond = ['requests per second', 'perSecond', '/s'] as const
const p99 = ['p99', 'p99', 'ms'] as const

const valuesOf = (samples: Samples, side: Ours | Peer, of: keyof Sample): number[] =>
  (samples.get(side) ?? []).map((one) => one[of])

/** A row of the table: one side of this repository and a baseline, with a goal for the ratio. */
function row(
  samples: Samples,
  [figure, of, unit]: readonly [string, keyof Sample, string],
  peer: Peer,
  [sign, limit]: readonly ['≤' | '≥', number],
  side: Ours = 'ours',
): Figure {
  const [a, b] = [valuesOf(samples, side, of), valuesOf(samples, peer, of)]
  const ratios = pairedRatios(a, b)
  const digits = of === 'perSecond' ? 0 : 1
  return {
    figure: `${figure}, against ${NAMES[peer]}`,
    ours: summary(a, unit, digits),
    baseline: summary(b, unit, digits),
    ratio: ratioText(ratios),
    goal: `${sign} ${limit} × ${NAMES[peer]}`,
    met: sign === '≤' ? median(ratios) <= limit : median(ratios) >= limit,
  }
}

/** Why a goal can be out of reach: what the runtime takes of it before the worker runs. */
function floorNote(samples: Samples, least: number): string {
  const [ours, bare, stock] = (['ours', 'bare', 'stock'] as const).map((side) =>
    median(valuesOf(samples, side, 'cpuMs')),
  )
  const beyond = (ms = 0): string => `${Math.max(0, ms - least).toFixed(0)} ms`
  return `${least.toFixed(0)} ms per 1,000 are the runtime's own for a request and an answer of this size: HTTP, both as objects, their collection. Beyond them ours takes ${beyond(ours)}, stock parts ${beyond(stock)} and the bare middleware ${beyond(bare)}; the goals leave ${beyond(0.6 * (stock ?? 0))} and ${beyond(1.15 * (bare ?? 0))} for everything: the log line, the session, the body, the signed quote and the headers.`
}

const withLimits = ['the same with rate limits on', 'cpuMs', 'ms'] as const
const withAic = ['the same with a price in AIC', 'cpuMs', 'ms'] as const

function resultOf(samples: Samples, { calls, amount, warm, floor, header }: Facts): BenchmarkResult {
  const least = median(floor.map(({ cpuMs }) => cpuMs))
  return {
    figures: [
      row(samples, cpu, 'stock', ['≤', 0.6]),
      row(samples, cpu, 'bare', ['≤', 1.15]),
      row(samples, withLimits, 'stock', ['≤', 0.6], 'limits'),
      row(samples, withLimits, 'bare', ['≤', 1.15], 'limits'),
      row(samples, withAic, 'stock', ['≤', 0.6], 'aic'),
      row(samples, withAic, 'bare', ['≤', 1.15], 'aic'),
      row(samples, perSecond, 'stock', ['≥', 1.7]),
      row(samples, p99, 'stock', ['≤', 0.7]),
      {
        figure: 'the same processor time of a worker that reads the body and always returns one such answer',
        ours: summary(
          floor.map(({ cpuMs }) => cpuMs),
          'ms',
        ),
        goal: '–',
        met: null,
      },
      {
        figure: 'characters of `Payment-Required`, one network, signed in',
        ours: String(header),
        goal: '≤ 900',
        met: header <= 900,
      },
      {
        figure: `calls to database, facilitator or chain in ${COUNTED_CALLS} requests whose price is known`,
        ours: String(calls),
        goal: '0',
        met: calls === 0,
      },
    ],
    notes: [
      `${CONNECTIONS} connections, ${BUYERS} buyers who take turns. Each side gets the same bytes: the same cookies, the same CSRF header, the same body. ${valuesOf(samples, 'ours', 'cpuMs').length} rounds of ${amount} calls each in turn, after ${warm} to warm up. Processor time is the scheduler's, of all threads of workerd.`,
      'The bare baseline is `@x402/hono`’s middleware with the same route, price and headers, its facilitator a function in the same isolate: no session, no CSRF, no look at the body, no quote that the price is bound to, no log. The baseline of stock parts adds iron-session, `hono/csrf` and a comparison of the token, `@hono/zod-validator`, request id, logger and secure headers; it signs no quote, counts no rate, has one model with one price and opens the cookie for each call. Ours opens a cookie and checks a token once an isolate for each buyer.',
      'With rate limits on, each call to this worker asks a limiter in the same isolate, bound as Cloudflare binds its own, which counts the call and allows it; what Cloudflare’s own limiter costs is not in it. With a price in AIC, the challenge carries a second entry; the baselines carry one.',
      floorNote(samples, least),
    ],
  }
}
