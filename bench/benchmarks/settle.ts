import { startChain } from '../../dev/anvil/chain.ts'
import { createRpc } from '../../dev/anvil/rpc.ts'
import { DEFAULT_MAX_BATCH } from '../../facilitator/facilitator.ts'
import { fundedKeys, transfersTo } from '../../test/helpers/facilitator-process.ts'
import { startPostgres } from '../../test/helpers/postgres.ts'
import { type Program, startProgram } from '../../test/helpers/program.ts'
import { makeX402Requests } from '../../test/helpers/x402-request.ts'
import type { BenchContext, Benchmark } from '../benchmark.ts'
import { percentile, times } from '../measure/stats.ts'

const TOKEN = 'a bearer of more than thirty-two characters'
const AT_ONCE = 200
const BUYERS = 20
const PORT = 4_621

interface Measured {
  perSecond: number
  /** Median time of one payment alone, in ms. */
  alone: number
  gas: number
}

interface Way {
  keys: readonly string[]
  maxBatch: number
}

export const settle: Benchmark = {
  name: 'settle',
  title: 'Settlements by the facilitator alone',
  async run(context) {
    const [postgres, chain] = [await startPostgres(), await startChain({ buyers: BUYERS })]
    if (postgres === null) throw new Error('PostgreSQL is not installed')
    context.defer(() => postgres.close())
    context.defer(() => chain.close())
    const keys = await fundedKeys(chain.url, 4)
    const payments = makePayments(chain)
    const place = { chain, databaseUrl: postgres.url }
    const old: Measured[] = []
    const present: Measured[] = []
    for (let round = 0; round < (context.quick ? 1 : 3); round += 1) {
      old.push(await measure(context, place, { keys: keys.slice(0, 1), maxBatch: 1 }, payments))
      present.push(await measure(context, place, { keys, maxBatch: DEFAULT_MAX_BATCH }, payments))
    }
    const best = (list: readonly Measured[], of: (one: Measured) => number): number => percentile(list.map(of), 50)
    const rate = best(present, ({ perSecond }) => perSecond) / best(old, ({ perSecond }) => perSecond)
    const gas = best(present, (one) => one.gas) / best(old, (one) => one.gas)
    const alone = best(present, (one) => one.alone) / best(old, (one) => one.alone)
    const perSecond = (list: readonly Measured[]) => `${best(list, (one) => one.perSecond).toFixed(1)} /s`
    const gasOf = (list: readonly Measured[]) => best(list, (one) => one.gas).toFixed(0)
    const aloneOf = (list: readonly Measured[]) => `${best(list, (one) => one.alone).toFixed(0)} ms`
    return {
      figures: [
        {
          ...{
            figure: `settlements per second, ${AT_ONCE} at once`,
            ours: perSecond(present),
            baseline: perSecond(old),
          },
          ...{ ratio: times(rate), goal: '≥ 5 ×', met: rate >= 5 },
        },
        {
          ...{ figure: 'gas per payment', ours: gasOf(present), baseline: gasOf(old) },
          ...{ ratio: times(gas), goal: '≤ 0.62 ×', met: gas <= 0.62 },
        },
        {
          ...{ figure: 'time of one payment alone, p50', ours: aloneOf(present), baseline: aloneOf(old) },
          ...{ ratio: times(alone), goal: '≤ 1.1 ×', met: alone <= 1.1 },
        },
      ],
      notes: [
        `The facilitator as it ships, with PostgreSQL, on one dev chain that mines each transaction at once: batches of ${DEFAULT_MAX_BATCH} with four keys, and as baseline one payment in each transaction with one key, in turn.`,
      ],
    }
  },
}

type Chain = Awaited<ReturnType<typeof startChain>>
type Payments = ReturnType<typeof makePayments>

/** Signs payments of all buyers in turn, each with a nonce that no other one has. */
function makePayments(chain: Chain) {
  const signers = chain.buyers.map((buyer) => makeX402Requests({ ...chain, buyers: [buyer] }))
  let next = 0
  return async (count: number): Promise<string[]> => {
    const bodies: string[] = []
    for (let made = 0; made < count; made += 1, next += 1) {
      bodies.push(JSON.stringify(await signers[next % signers.length]?.()))
    }
    return bodies
  }
}

async function measure(
  { quick, say }: BenchContext,
  { chain, databaseUrl }: { chain: Chain; databaseUrl: string },
  way: Way,
  payments: Payments,
): Promise<Measured> {
  const program = await start(chain, databaseUrl, way)
  try {
    // All are signed first: a connection that is idle for long is closed by the program.
    const [warm, single] = [await payments(BUYERS), await payments(quick ? 10 : 20)]
    const bodies = await payments(quick ? 2 * AT_ONCE : 4 * AT_ONCE)
    for (const body of warm) await post(body)
    const alone: number[] = []
    for (const body of single) {
      const began = performance.now()
      await post(body)
      alone.push(performance.now() - began)
    }
    const before = (await transfersTo(chain)).length
    const began = performance.now()
    const client = async (): Promise<void> => {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) await post(body)
    }
    const count = bodies.length
    await Promise.all(Array.from({ length: AT_ONCE }, client))
    const perSecond = count / ((performance.now() - began) / 1000)
    const hashes = (await transfersTo(chain)).slice(before)
    if (hashes.length !== count) throw new Error(`${hashes.length} transfers of ${count} payments`)
    const measured = { perSecond, alone: percentile(alone, 50), gas: await gasPer(chain, hashes) }
    say(
      `batches of ${way.maxBatch}, ${way.keys.length} keys: ${perSecond.toFixed(1)} /s, ${measured.gas.toFixed(0)} gas`,
    )
    return measured
  } finally {
    program.kill('SIGTERM')
    await program.ended
  }
}

async function start(chain: Chain, databaseUrl: string, { keys, maxBatch }: Way): Promise<Program> {
  const env = {
    PORT: `${PORT}`,
    DATABASE_URL: databaseUrl,
    FACILITATOR_PRIVATE_KEYS: keys.join(','),
    FACILITATOR_MAX_BATCH: `${maxBatch}`,
    FACILITATOR_TOKEN: TOKEN,
    PAYMENT_NETWORKS: 'eip155:31337',
    DEV_RPC_URL: chain.url,
    DEV_USDC_ADDRESS: chain.usdc,
    RECEIVER_ADDRESS: chain.payTo,
    FACILITATOR_BATCH_CONTRACTS: `eip155:31337=${chain.contracts['batch']}`,
  }
  const program = startProgram({ args: ['facilitator/main.ts'], env })
  await program.event('listening')
  return program
}

async function post(body: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` }
  const response = await fetch(`http://127.0.0.1:${PORT}/settle`, { method: 'POST', headers, body })
  const text = await response.text()
  const answer: { success?: boolean } = JSON.parse(text)
  if (answer.success !== true) throw new Error(`the facilitator did not settle: ${text}`)
}

async function gasPer(chain: Chain, hashes: readonly string[]): Promise<number> {
  const different = [...new Set(hashes)]
  const calls = different.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }))
  const receipts = await createRpc(chain.url).batch(calls)
  const gas = receipts.map((receipt) => Number(Object(receipt).gasUsed))
  return gas.reduce((sum, each) => sum + each, 0) / hashes.length
}
