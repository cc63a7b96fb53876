import pg from 'pg'
import { privateKeyToAccount } from 'viem/accounts'
import { TRANSFER_TYPES, transferTypedData } from '../../protocol/eip3009.ts'
import { makeBuyer } from '../../test/helpers/buyer.ts'
import { startPostgres } from '../../test/helpers/postgres.ts'
import type { SignOverrides } from '../../test/helpers/sign-payment.ts'
import { inspectSignature } from '../../worker/x402/authorization.ts'
import type { BenchContext, Benchmark, BenchmarkResult, Figure } from '../benchmark.ts'
import { load } from '../measure/load.ts'
import { cpuSeconds } from '../measure/process.ts'
import { inTurn, median, pairedRatios, percentile, ratioText, summary } from '../measure/stats.ts'
import { type StubProcess, startStubProcess } from '../stubs/start.ts'
import { bundleOf, serveBaseline } from '../workerd/baseline.ts'
import { CHAIN_ID, type OurSide, PAY_TO, REQUEST, serveCoinslot, signedInBuyer } from '../workerd/coinslot.ts'
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
    const database = new pg.Client({ connectionString: postgres.url })
    await database.connect()
    context.defer(() => database.end())
    await database.query('insert into users (address) values ($1) on conflict do nothing', [PAY_TO.toLowerCase()])
    const payOurs = await walletsOf(ours.env)
    const { naive, stock } = await peersOf(context, stubs, ours)
    const [payNaive, payStock] = [naiveBuyer(naive.origin), await walletsOf(ours.env, stock.origin)]

    const calls = context.quick ? 40 : 400
    const warm = context.quick ? WARM_CALLS / 4 : WARM_CALLS
    await sample(ours, payOurs, warm)
    await sample(naive, payNaive, warm)
    await sample(stock, payStock, warm)
    const samples = await inTurn(context.quick ? 2 : 7, [
      ['ours', () => sampleAndCount(database, ours, payOurs, calls)],
      ['naive', () => sample(naive, payNaive, calls)],
      ['stock', () => sampleAndCount(database, stock, payStock, calls)],
    ])
    const alone = await sample(ours, payOurs, calls / 4, 1)
    const recovery = await recoveryMs(context.quick ? 20 : 200)
    return resultOf({ calls, warm, alone, recovery }, samples)
  },
}

/** The two baselines: the sale around the middleware alone, and the same duties from stock parts. */
async function peersOf({ dir, defer }: BenchContext, stubs: StubProcess, ours: OurSide) {
  const naive = await serveBaseline({ stubs, dir, bundle: await bundleOf('paid', dir, ours.bundle) })
  defer(naive.stop)
  const stock = await serveBaseline({
    stubs,
    dir,
    bundle: await bundleOf('paid-stock', dir, ours.bundle),
    env: { SESSION_SECRET: ours.env['SESSION_SECRET'] ?? '' },
    headers: (await signedInBuyer(ours.env)).cookies.headers,
  })
  defer(stock.stop)
  return { naive, stock }
}

/** Ten signed-in wallets in turn, each with its own quote; of our worker, or of the one at `origin`. */
async function walletsOf(env: Record<string, string>, origin?: string): Promise<NextPayment> {
  const indexes = Array.from({ length: AT_ONCE }, (_, index) => index + 1)
  const buyers = await Promise.all(indexes.map((index) => signedInBuyer(env, index, origin)))
  const quoted = await Promise.all(buyers.map(async (buyer) => ({ buyer, required: await buyer.quote(REQUEST) })))
  let turn = 0
  return async () => {
    const next = quoted[turn++ % quoted.length]
    if (next === undefined) throw new Error('no buyer')
    const signature = await next.buyer.sign(next.required, lasting())
    return { ...next.buyer.cookies.headers, 'payment-signature': signature }
  }
}

function naiveBuyer(origin: string): NextPayment {
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

type Samples = ReadonlyMap<'ours' | 'naive' | 'stock', Sample[]>

const NAMES = { naive: 'the naive baseline', stock: 'stock parts' }

function row(
  samples: Samples,
  [figure, of, unit]: readonly [string, keyof Sample, string],
  peer: 'naive' | 'stock',
  most?: number,
): Figure {
  const values = (side: 'ours' | 'naive' | 'stock'): number[] => (samples.get(side) ?? []).map((one) => one[of])
  const ratios = pairedRatios(values('ours'), values(peer))
  return {
    figure: `${figure}, against ${NAMES[peer]}`,
    ours: summary(values('ours'), unit, 1),
    baseline: summary(values(peer), unit, 1),
    ratio: ratioText(ratios),
    goal: most === undefined ? '–' : `≤ ${most} × ${NAMES[peer]}`,
    met: most === undefined ? null : median(ratios) <= most,
  }
}

interface Facts {
  calls: number
  warm: number
  alone: Sample
  recovery: number
}

/** Processor milliseconds to find out in Node who signed a payment: what stock parts leave to the facilitator. */
async function recoveryMs(amount: number): Promise<number> {
  const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
  const { address } = account
  const domain = { name: 'USDC', version: '2', chainId: CHAIN_ID, verifyingContract: address }
  const authorization = {
    ...{ from: address, to: address, value: '10000', validAfter: '0', validBefore: '2000000000' },
    nonce: `0x${'22'.repeat(32)}`,
  } as const
  const { message } = transferTypedData(authorization, domain)
  const primaryType = 'TransferWithAuthorization'
  const signature = await account.signTypedData({ domain, types: TRANSFER_TYPES, primaryType, message })
  const recover = async (): Promise<void> => {
    const { kind } = await inspectSignature(authorization, signature, domain)
    if (kind !== 'recovered') throw new Error(`the signature is ${kind}`)
  }
  for (let done = 0; done < amount; done += 1) await recover()
  const before = process.cpuUsage()
  for (let done = 0; done < amount; done += 1) await recover()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / amount
}

function resultOf({ calls, warm, alone, recovery }: Facts, samples: Samples): BenchmarkResult {
  const cpu = ['processor time of workerd per call', 'cpuMs', 'ms'] as const
  const rounds = samples.get('ours')?.length ?? 0
  return {
    figures: [
      row(samples, cpu, 'stock', 0.9),
      row(samples, cpu, 'naive', 2.3),
      row(samples, [`time of a call at ${AT_ONCE} at once, p50`, 'p50', 'ms'], 'stock'),
      row(samples, [`time of a call at ${AT_ONCE} at once, p95`, 'p95', 'ms'], 'stock'),
      row(samples, ['calls per second', 'perSecond', '/s'], 'stock'),
      {
        figure: 'time of one call at a time, p50 and p95',
        ours: `${alone.p50.toFixed(1)} and ${alone.p95.toFixed(1)} ms`,
        goal: '–',
        met: null,
      },
      {
        figure: 'processor time of one check of a signature, in Node',
        ours: `${recovery.toFixed(1)} ms`,
        goal: '–',
        met: null,
      },
    ],
    notes: [
      `${AT_ONCE} connections, ${rounds} rounds of ${calls} calls each in turn, after ${warm} to warm up; every call pays with a new authorization and leaves a file of ${FILE_BYTES / 1000} kB. Facilitator, provider and store answer at once; the database is PostgreSQL behind Neon's HTTP protocol; \`MIN_CONFIRMATIONS=0\`, so that the facilitator is trusted on all sides. After each round a query checks that every call to this worker and to stock parts left one journal row in \`done\` and one inference. An isolate has one thread: of ${AT_ONCE} calls at once the last waits for the processor time of all.`,
      'The naive baseline is `@x402/hono` with `paymentFlow: "upfront"` around a handler that starts the run, copies the file and inserts one row. It does not open a session, check a token, keep a journal or call `/verify`. It makes 5 calls out, one of them to the database; ours makes 9, four of them to the database.',
      'The baseline of stock parts has the same duties: iron-session, `hono/csrf` and a comparison of the token, `@hono/zod-validator`, request id, logger and secure headers, `@x402/hono` upfront with hooks that write the journal, the `replicate` package, aws4fetch, a SHA-256 of the file, drizzle over Neon’s HTTP driver with the same writes in four trips. It does not check the signature, the quote or the chain itself, does not call `/verify`, does not count a rate, does not compare the payer with the session, does not finish a purchase that was interrupted, and has one model with one price. What one check of a signature costs is in the table; with `/verify` it keeps a bad payment from costing a transaction.',
    ],
  }
}
