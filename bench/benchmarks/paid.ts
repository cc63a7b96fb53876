import pg from 'pg'
import { makeBuyer } from '../../test/helpers/buyer.ts'
import { startPostgres } from '../../test/helpers/postgres.ts'
import type { SignOverrides } from '../../test/helpers/sign-payment.ts'
import type { Benchmark, BenchmarkResult, Figure } from '../benchmark.ts'
import { load } from '../measure/load.ts'
import { cpuSeconds } from '../measure/process.ts'
import { alternate, median, pairedRatios, percentile, ratioText, summary } from '../measure/stats.ts'
import { whereTimeGoes } from '../measure/where.ts'
import { startStubProcess } from '../stubs/start.ts'
import { bundleOf, serveBaseline } from '../workerd/baseline.ts'
import { CHAIN_ID, PAY_TO, REQUEST, serveCoinslot, signedInBuyer } from '../workerd/coinslot.ts'
import type { Served } from '../workerd/serve.ts'

const AT_ONCE = 10
/** Our worker reaches its level after so many calls. */
const WARM_CALLS = 1_800
const FILE_BYTES = 20_000

interface Sample {
  p50: number
  p95: number
  /** Processor milliseconds of workerd for one call. */
  cpuMs: number
  perSecond: number
}

/** Signs the next payment and returns the headers to send it with. */
type NextPayment = () => Promise<Record<string, string>>

export const paid: Benchmark = {
  name: 'paid',
  title: 'Paid call, stubs that answer at once',
  async run(context) {
    const postgres = await startPostgres()
    if (postgres === null) throw new Error('PostgreSQL is not installed')
    context.defer(postgres.close)
    const stubs = await startStubProcess({ fileBytes: FILE_BYTES, kind: 'image', databaseUrl: postgres.url })
    context.defer(stubs.stop)
    const ours = await serveCoinslot(stubs, context.dir)
    context.defer(ours.stop)
    const bundle = await bundleOf('paid', context.dir, ours.bundle)
    const theirs = await serveBaseline({ stubs, dir: context.dir, bundle })
    context.defer(theirs.stop)
    const database = new pg.Client({ connectionString: postgres.url })
    await database.connect()
    context.defer(() => database.end())
    await database.query('insert into users (address) values ($1) on conflict do nothing', [PAY_TO.toLowerCase()])

    const [payOurs, payTheirs] = [await ourBuyers(ours.env), baselineBuyer(theirs.origin)]
    const calls = context.quick ? 40 : 400
    const sampleOurs = () => sampleAndCount(database, ours, payOurs, calls)
    const sampleTheirs = () => sample(theirs, payTheirs, calls)
    const warm = context.quick ? calls : WARM_CALLS
    await sample(ours, payOurs, warm)
    await sample(theirs, payTheirs, warm)
    const samples = await alternate(context.quick ? 2 : 7, sampleOurs, sampleTheirs)
    const alone = await sample(ours, payOurs, calls / 4, 1)
    const where = await whereTimeGoes({
      stubs,
      dir: context.dir,
      ours,
      work: async (side) => {
        await sample(side, await ourBuyers(side.env), calls)
        return calls
      },
    })
    return resultOf(calls, samples, alone, where)
  },
}

/** Ten signed-in wallets in turn, each with its own quote. */
async function ourBuyers(env: Record<string, string>): Promise<NextPayment> {
  const buyers = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => signedInBuyer(env, index + 1)))
  const quoted = await Promise.all(buyers.map(async (buyer) => ({ buyer, required: await buyer.quote(REQUEST) })))
  let turn = 0
  return async () => {
    const next = quoted[turn++ % quoted.length]
    if (next === undefined) throw new Error('no buyer')
    const signature = await next.buyer.sign(next.required, lasting())
    return { ...next.buyer.cookies.headers, 'payment-signature': signature }
  }
}

function baselineBuyer(origin: string): NextPayment {
  const buyer = makeBuyer({ fetch, origin, chainId: CHAIN_ID })
  return async () => ({ 'payment-signature': await buyer.sign(await buyer.quote(REQUEST), lasting()) })
}

const lasting = (): SignOverrides => ({ validBefore: String(Math.floor(Date.now() / 1000) + 600) })

async function sample(side: Served, next: NextPayment, amount: number, atOnce = AT_ONCE): Promise<Sample> {
  const payments: Record<string, string>[] = []
  for (let made = 0; made < amount + atOnce; made += 1) payments.push(await next())
  const before = cpuSeconds(side.pid)
  const done = await load({
    url: `${side.origin}/api/inference`,
    body: JSON.stringify(REQUEST),
    callers: [{}],
    connections: atOnce,
    amount,
    expect: 200,
    nextHeaders: () => payments.pop() ?? {},
  })
  return {
    p50: percentile(done.latencies, 50),
    p95: percentile(done.latencies, 95),
    cpuMs: ((cpuSeconds(side.pid) - before) * 1000) / done.requests,
    perSecond: done.perSecond,
  }
}

/** As `sample`, and every call must have left one journal row that is done and one inference that succeeded. */
async function sampleAndCount(database: pg.Client, side: Served, next: NextPayment, amount: number): Promise<Sample> {
  const count = async (): Promise<number[]> => {
    const { rows } = await database.query(
      `select (select count(*) from payments where state = 'done')::int as done, (select count(*) from payments)::int as payments,
        (select count(*) from inferences i join payments p on p.inference_id = i.id where i.status = 'succeeded')::int as records`,
    )
    return [rows[0].done, rows[0].payments, rows[0].records]
  }
  const before = await count()
  const result = await sample(side, next, amount)
  const made = (await count()).map((value, index) => value - (before[index] ?? 0))
  if (made.some((value) => value !== amount)) throw new Error(`${amount} calls left ${made.join(', ')} rows`)
  return result
}

function resultOf(
  calls: number,
  { ours, theirs }: { ours: Sample[]; theirs: Sample[] },
  alone: Sample,
  where: string,
): BenchmarkResult {
  const row = (
    figure: string,
    of: keyof Sample,
    unit: string,
    goal: string,
    met: (a: number, ratio: number) => boolean,
  ): Figure => {
    const [a, b] = [ours.map((one) => one[of]), theirs.map((one) => one[of])]
    const ratios = pairedRatios(a, b)
    return {
      figure,
      ours: summary(a, unit, 1),
      baseline: summary(b, unit, 1),
      ratio: ratioText(ratios),
      goal: goal === '' ? '–' : goal,
      met: goal === '' ? null : met(median(a), median(ratios)),
    }
  }
  return {
    figures: [
      row(`own time at ${AT_ONCE} at once, p50`, 'p50', 'ms', '', () => true),
      row(`own time at ${AT_ONCE} at once, p95`, 'p95', 'ms', '', () => true),
      row('processor time of workerd per call', 'cpuMs', 'ms', '≤ 2.3 × the naive peer', (_ms, ratio) => ratio <= 2.3),
      row('calls per second', 'perSecond', '/s', '', () => true),
      {
        figure: 'own time of one call at a time, p50 and p95',
        ours: `${alone.p50.toFixed(1)} and ${alone.p95.toFixed(1)} ms`,
        goal: 'p50 ≤ 15 ms, p95 ≤ 40 ms',
        met: alone.p50 <= 15 && alone.p95 <= 40,
      },
    ],
    notes: [
      `${AT_ONCE} connections, ${ours.length} rounds of ${calls} calls each in turn, after ${WARM_CALLS} to warm up; every call pays with its own authorization and leaves a file of ${FILE_BYTES / 1000} kB. Facilitator, provider and store answer at once; the database is PostgreSQL behind Neon's HTTP protocol; \`MIN_CONFIRMATIONS=0\`, as the baseline has it. After each round of ours the database is asked whether every call left one journal row that is done and one inference. The baseline is \`@x402/hono\` with \`paymentFlow: "upfront"\` around a handler that starts the run, copies the file and inserts one row: it sends \`/settle\` only, keeps no journal, checks no signature and knows no session. Its calls to the database: 1; ours: 4. All in all it makes 5 calls out, ours 9. An isolate has one thread: of ${AT_ONCE} calls at once the last waits for the processor time of all.`,
      where,
    ],
  }
}
