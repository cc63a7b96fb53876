import type { BenchContext, Benchmark, BenchmarkResult, Figure } from '../benchmark.ts'
import { load } from '../measure/load.ts'
import { cpuSeconds } from '../measure/process.ts'
import { alternate, median, percentile, summary, times } from '../measure/stats.ts'
import { whereTimeGoes } from '../measure/where.ts'
import { type StubProcess, startStubProcess } from '../stubs/start.ts'
import { bundleOf, serveBaseline } from '../workerd/baseline.ts'
import { type OurSide, REQUEST, serveCoinslot, signedInBuyer } from '../workerd/coinslot.ts'
import type { Served } from '../workerd/serve.ts'

const CONNECTIONS = 16
/** Signed-in buyers who take turns, so that no cookie is seen twice in a row. */
const BUYERS = 64
const WARM_CALLS = 1000
const PROFILED_CALLS = 5000

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
    const theirs = await serveBaseline({
      stubs,
      dir: context.dir,
      bundle: await bundleOf('unpaid', context.dir, ours.bundle),
    })
    context.defer(theirs.stop)
    const callers = await callersOf(ours)
    const calls = await callsWhenWarm(ours, callers, stubs)
    const seconds = context.quick ? 0.5 : 4
    await sample(ours, callers, seconds)
    await sample(theirs, [{}], seconds)
    const samples = await alternate(
      context.quick ? 2 : 7,
      () => sample(ours, callers, seconds),
      () => sample(theirs, [{}], seconds),
    )
    const { dir, quick } = context
    const floor = await floorOf(context, stubs, ours)
    const profiledCalls = quick ? PROFILED_CALLS / 10 : PROFILED_CALLS
    const work = async (side: OurSide): Promise<number> => answer(side, await callersOf(side), profiledCalls)
    const where = await whereTimeGoes({ stubs, dir, ours, work })
    return resultOf(context, samples, { calls, floor, where })
  },
}

/** The headers of each buyer's calls. */
async function callersOf({ env }: OurSide): Promise<Callers> {
  const buyers = await Promise.all(Array.from({ length: BUYERS }, (_, index) => signedInBuyer(env, index + 1)))
  return buyers.map(({ cookies }) => cookies.headers)
}

/** Has so many calls answered with 402. */
async function answer({ origin }: Served, callers: Callers, amount: number): Promise<number> {
  const { url, body } = { url: `${origin}/api/inference`, body: JSON.stringify(REQUEST) }
  return (await load({ url, body, callers, connections: CONNECTIONS, amount, expect: 402 })).requests
}

type Callers = readonly Record<string, string>[]

async function sample(side: Served, callers: Callers, seconds: number): Promise<Sample> {
  const before = cpuSeconds(side.pid)
  const { url, body } = { url: `${side.origin}/api/inference`, body: JSON.stringify(REQUEST) }
  const done = await load({ url, body, callers, connections: CONNECTIONS, seconds, expect: 402 })
  const cpuMs = ((cpuSeconds(side.pid) - before) * 1e6) / done.requests
  return { perSecond: done.perSecond, p99: percentile(done.latencies, 99), cpuMs }
}

/** What the runtime itself takes for such a call: one of the worker's answers, sent each time. */
async function floorOf({ dir, quick, defer }: BenchContext, stubs: StubProcess, ours: OurSide): Promise<Sample[]> {
  const bundle = await bundleOf('noop', dir, ours.bundle)
  const nothing = await serveBaseline({ stubs, dir, bundle, env: { ANSWER: await answerOf(ours) } })
  defer(nothing.stop)
  const samples: Sample[] = []
  for (let round = 0; round < (quick ? 2 : 4); round += 1) samples.push(await sample(nothing, [{}], quick ? 0.5 : 2))
  // The first one warms up.
  return samples.slice(1)
}

/** One of the worker's answers as JSON. */
async function answerOf(ours: OurSide): Promise<string> {
  const [caller] = await callersOf(ours)
  const response = await fetch(`${ours.origin}/api/inference`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...caller },
    body: JSON.stringify(REQUEST),
  })
  const ownOfHttp = ['content-length', 'transfer-encoding', 'date', 'connection']
  const headers = [...response.headers].filter(([name]) => !ownOfHttp.includes(name))
  return JSON.stringify({ headers: Object.fromEntries(headers), body: await response.text() })
}

/** Calls to database, facilitator and chain during 1,000 requests whose price is warm. */
async function callsWhenWarm(ours: Served, callers: Callers, stubs: StubProcess): Promise<number> {
  const total = async (): Promise<number> => {
    const { database, supported, verify, settle, rpc } = await stubs.counts()
    return database + supported + verify + settle + rpc
  }
  // The first call reads what the facilitator supports and the models' sums.
  await answer(ours, callers, CONNECTIONS)
  const before = await total()
  await answer(ours, callers, WARM_CALLS)
  return (await total()) - before
}

function resultOf(
  { quick }: BenchContext,
  { ours, theirs }: { ours: Sample[]; theirs: Sample[] },
  { calls, floor, where }: { calls: number; floor: Sample[]; where: string },
): BenchmarkResult {
  const row = (
    figure: string,
    of: keyof Sample,
    unit: string,
    goal: string,
    met: (ratio: number) => boolean,
  ): Figure => {
    const [a, b] = [ours.map((one) => one[of]), theirs.map((one) => one[of])]
    const ratio = median(a) / median(b)
    const digits = of === 'perSecond' ? 0 : 1
    return {
      figure,
      ours: summary(a, unit, digits),
      baseline: summary(b, unit, digits),
      ratio: times(ratio),
      goal,
      met: goal === '' ? null : met(ratio),
    }
  }
  const least = median(floor.map(({ cpuMs }) => cpuMs))
  return {
    figures: [
      row('requests per second', 'perSecond', '/s', '≥ 1.5 × the baseline', (ratio) => ratio >= 1.5),
      row('p99', 'p99', 'ms', '≤ the baseline', (ratio) => ratio <= 1),
      row('processor time of workerd per 1,000', 'cpuMs', 'ms', '', () => true),
      {
        figure: 'the same of a worker that reads the body and gives one such answer again and again',
        ours: summary(
          floor.map(({ cpuMs }) => cpuMs),
          'ms',
        ),
        goal: '–',
        met: null,
      },
      {
        figure: `calls to database, facilitator or chain in ${WARM_CALLS} warm requests`,
        ours: String(calls),
        goal: '0',
        met: calls === 0,
      },
    ],
    notes: [
      `${CONNECTIONS} connections, ${BUYERS} buyers who take turns, ${ours.length} rounds of ${quick ? 0.5 : 4} s each in turn, after one to warm up. Ours opens the session cookie and checks the CSRF token (both once an isolate for each buyer, after that from memory), checks the body, works out the price and signs the quote; the baseline is \`@x402/hono\`'s middleware with the same route, price and headers, its facilitator a function in the same isolate, no session and no look at the body.`,
      `${least.toFixed(0)} ms per 1,000 are the runtime's own for a request and an answer of this size: HTTP, both as objects, their collection. 1.5 × the baseline would be ${(median(theirs.map(({ cpuMs }) => cpuMs)) / 1.5).toFixed(0)} ms per 1,000 with all that is ours on top: the session, the schemas, the price, two copies of the challenge, a SHA-256 and an HMAC.`,
      where,
    ],
  }
}
