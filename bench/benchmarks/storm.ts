import { sharePostgres } from '../../test/helpers/postgres.ts'
import { startTestStack, type TestStack } from '../../test/helpers/stack.ts'
import { makeX402Requests } from '../../test/helpers/x402-request.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { buyAll, ordersOf } from '../measure/orders.ts'
import { cpuSeconds, memoryBytes } from '../measure/process.ts'
import { percentile, times } from '../measure/stats.ts'

const MEBIBYTE = 1024 * 1024
const BUYERS = 20
const IDLE_MS = 10_000
/** Warm-up calls per concurrent call. Memory is compared with that of a busy worker, not of one that starts. */
const WARM_ROUNDS = 2

interface Storm {
  calls: number
  atOnce: number
  seconds: number
  latencies: number[]
  memoryBefore: number
  memoryAfter: number
  workerCpuSeconds: number
  /** The records of all of it: transfers, runs, records, journal rows that are done; and different ids that were answered. */
  left: number[]
  /** Settlements a second by the facilitator alone, as many at once. */
  facilitatorPerSecond: number
}

export const storm: Benchmark = {
  name: 'storm',
  title: 'Storm of paid calls on the whole local stack',
  async run({ quick, say, defer }) {
    const stopPostgres = await sharePostgres()
    if (stopPostgres === undefined) throw new Error('PostgreSQL is not installed')
    defer(stopPostgres)
    const stack = await startTestStack({ buyers: BUYERS })
    defer(stack.stop)
    const buyers = await Promise.all(stack.info.buyers.map((_, index) => stack.signedIn(index)))
    const [calls, atOnce] = quick ? [60, 20] : [1_000, 100]
    const warm = await ordersOf(buyers, atOnce * (quick ? 1 : WARM_ROUNDS), 'warm')
    const orders = await ordersOf(buyers, calls, 'storm')
    await buyAll(warm, atOnce)
    const before = { memory: memoryBytes(stack.info.workerPid), cpu: cpuSeconds(stack.info.workerPid) }
    const began = performance.now()
    const { latencies, ids } = await buyAll(orders, atOnce)
    const seconds = (performance.now() - began) / 1000
    const workerCpuSeconds = cpuSeconds(stack.info.workerPid) - before.cpu
    say(`${calls} calls in ${seconds.toFixed(1)} s`)
    await new Promise((resolve) => setTimeout(resolve, quick ? 0 : IDLE_MS))
    const memoryAfter = memoryBytes(stack.info.workerPid)
    const left = [...(await leftBy(stack)).map((value) => value - warm.length), ids.size]
    const facilitatorPerSecond = await settleAlone(stack, quick ? 20 : 300, atOnce)
    const figures = figuresOf({
      calls,
      atOnce,
      seconds,
      latencies,
      memoryBefore: before.memory,
      memoryAfter,
      workerCpuSeconds,
      left,
      facilitatorPerSecond,
    })
    return {
      figures,
      notes: [
        `The stack of \`npm start\` with PostgreSQL, a block a second, no rate limits: ${calls} payments of ${BUYERS} wallets for texts, signed beforehand, ${atOnce} calls at once, after ${warm.length} to warm up. Lost or doubled would show as a count other than ${calls} among transfers on chain, runs at the provider, succeeded inferences, journal rows that are done, and ids in the answers. The facilitator alone is the same \`/settle\` with nothing around it, as many at once, on the same chain: it bounds what can be sold. Memory is resident, after the warm-up and ${IDLE_MS / 1000} s after the storm.`,
      ],
    }
  },
}

async function leftBy(stack: TestStack): Promise<number[]> {
  const [transfers, runs, inferences, payments] = await Promise.all([
    stack.transfers(),
    stack.predictions(),
    stack.rows('inferences'),
    stack.rows('payments'),
  ])
  const succeeded = inferences.filter(({ status }) => status === 'succeeded')
  const done = payments.filter(({ state }) => state === 'done')
  return [transfers.length, runs, succeeded.length, done.length]
}

async function settleAlone({ info }: TestStack, count: number, atOnce: number): Promise<number> {
  const make = makeX402Requests(info)
  const bodies: string[] = []
  for (let made = 0; made < count; made += 1) bodies.push(JSON.stringify(await make()))
  const began = performance.now()
  const client = async (): Promise<void> => {
    for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${info.facilitatorUrl}/settle`, { method: 'POST', headers, body })
      const answer: { success: boolean } = JSON.parse(await response.text())
      if (!answer.success) throw new Error(`the facilitator did not settle: ${JSON.stringify(answer)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, client))
  return count / ((performance.now() - began) / 1000)
}

function figuresOf(storm: Storm): Figure[] {
  const { calls, atOnce, latencies, memoryBefore, memoryAfter, left, facilitatorPerSecond } = storm
  const perSecond = calls / storm.seconds
  const mebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(0)} MiB`
  const growth = memoryAfter / memoryBefore
  return [
    {
      figure: `transfers, runs, inferences, journal rows, ids of ${calls.toLocaleString('en')} calls, ${atOnce} at once`,
      ours: left.join(', '),
      goal: 'none lost or doubled',
      met: left.every((count) => count === calls),
    },
    {
      figure: 'memory of workerd, before and after',
      ours: `${mebibytes(memoryBefore)}, ${mebibytes(memoryAfter)}`,
      ratio: times(growth),
      goal: '≤ 1.2 ×',
      met: growth <= 1.2,
    },
    {
      figure: 'purchases per second; the baseline is the facilitator alone',
      ours: `${perSecond.toFixed(1)} /s`,
      baseline: `${facilitatorPerSecond.toFixed(1)} /s`,
      ratio: times(perSecond / facilitatorPerSecond),
      goal: '–',
      met: null,
    },
    {
      figure: 'time of a purchase, p50 and p95',
      ours: `${percentile(latencies, 50).toFixed(0)} and ${percentile(latencies, 95).toFixed(0)} ms`,
      goal: '–',
      met: null,
    },
    {
      figure: 'processor time of workerd per purchase',
      ours: `${((storm.workerCpuSeconds * 1000) / calls).toFixed(1)} ms`,
      goal: '–',
      met: null,
    },
  ]
}
