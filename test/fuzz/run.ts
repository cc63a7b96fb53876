import type { StackInfo } from '../../dev/stack/stack-info.ts'
import { openBuyer } from './buyer.ts'
import { type Call, describeCall, makeSender, type Reply, type Send } from './call.ts'
import { makeReplyCheck, SLOW_MS } from './check-reply.ts'
import { readLedger } from './ledger.ts'
import { mutateCall } from './mutate-call.ts'
import { buyOnPurpose } from './purchase.ts'
import { makeRandom } from './random.ts'
import { seedCalls } from './seeds.ts'
import { junkPayments } from './storm.ts'

export interface FuzzOptions {
  requests: number
  seed: number
  /** Requests in flight at once; default 12. */
  concurrency?: number
  onProgress?(done: number): void
}

export interface FuzzReport {
  requests: number
  /** The faults, one line each, with the number of the request that shows it. */
  unexpected: string[]
  /** Answers by status. */
  statuses: Record<string, number>
  /** Requests that took over 2 s among the others, and less when they were sent again alone. */
  stoodStill: number
  /** Purchases made on purpose. */
  purchases: number
  slowestMs: number
}

/** Every so many requests one is a purchase that must work. */
const PURCHASE_EVERY = 200
/** Every so many requests one is a storm: as many junk payments at once. */
const STORM_EVERY = 1_000
const STORM_CALLS = 60

/**
 * Sends `requests` broken calls to a local stack and checks every answer, the chain and the provider. The same seed makes the
 * same calls, except for what the stack itself draws (nonces, ids).
 */
export async function fuzz(info: StackInfo, options: FuzzOptions): Promise<FuzzReport> {
  const { requests, seed, concurrency = 12 } = options
  const { send, close } = makeSender(info.origin)
  const key = info.buyers[0]?.privateKey
  if (key === undefined) throw new Error('the stack has no buyer')
  const buyer = await openBuyer(info, key)
  const checkReply = makeReplyCheck(info)
  const before = await readLedger(info)
  const paid: bigint[] = []
  const report: FuzzReport = { requests, unexpected: [], statuses: {}, stoodStill: 0, purchases: 0, slowestMs: 0 }
  const slow: { number: number; call: Call }[] = []

  async function buy(number: number): Promise<string | null> {
    const { amount, id, complaint } = await buyOnPurpose(send, buyer, makeRandom(seed + number))
    paid.push(amount)
    report.purchases += 1
    if (complaint !== null) report.unexpected.push(`#${number} ${complaint}`)
    return id
  }
  const unpayable = await Promise.all([1n, 2n, -1n].map(async (short) => (await buyer.payment(short)).header))
  const seeds = seedCalls(buyer, unpayable, await buy(0))

  function note(number: number, call: Call, reply: Reply): void {
    count(report, reply)
    const complaint = checkReply(call, reply)
    if (complaint !== null) report.unexpected.push(`#${number} ${complaint}: ${describeCall(call)}`)
    if (reply.ms > SLOW_MS) slow.push({ number, call })
  }

  async function shoot(number: number): Promise<void> {
    if (number % PURCHASE_EVERY === 0) return void (await buy(number))
    const random = makeRandom(seed * 1_000_003 + number)
    if (number % STORM_EVERY === STORM_EVERY / 2) {
      const storm = junkPayments(buyer, unpayable, STORM_CALLS, random)
      return void (await Promise.all(storm.map((call) => sendOne(number, call))))
    }
    await sendOne(number, mutateCall(random.pick(seeds), random))
  }

  async function sendOne(number: number, call: Call): Promise<void> {
    try {
      note(number, call, await send(call))
    } catch (error) {
      report.unexpected.push(`#${number} no answer (${String(error)}): ${describeCall(call)}`)
    }
  }

  let next = 1
  const worker = async (): Promise<void> => {
    for (let number = next++; number <= requests; number = next++) {
      await shoot(number)
      options.onProgress?.(number)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  await sendSlowAgain(send, slow, report)
  report.unexpected.push(...missingMoney(before, await readLedger(info), paid))
  close()
  return report
}

function count(report: FuzzReport, { status, ms }: Reply): void {
  report.statuses[status] = (report.statuses[status] ?? 0) + 1
  report.slowestMs = Math.max(report.slowestMs, ms)
}

/** A call that is slow alone too is a fault; one that is not met a busy machine. */
async function sendSlowAgain(send: Send, slow: { number: number; call: Call }[], report: FuzzReport): Promise<void> {
  for (const { number, call } of slow) {
    const again = await send(call)
    if (again.ms <= SLOW_MS) report.stoodStill += 1
    else report.unexpected.push(`#${number} takes ${Math.round(again.ms)} ms, alone too: ${describeCall(call)}`)
  }
}

type Ledger = Awaited<ReturnType<typeof readLedger>>

/** Nothing may be charged or run but the purchases made on purpose, each once, for its own price. */
function missingMoney(before: Ledger, after: Ledger, paid: readonly bigint[]): string[] {
  const byAmount = (a: bigint, b: bigint): number => (a < b ? -1 : 1)
  const charged = after.transfers.slice(before.transfers.length).sort(byAmount).join()
  const wanted = paid.toSorted(byAmount).join()
  const runs = after.runs - before.runs
  return [
    ...(charged === wanted ? [] : [`charged ${charged || 'nothing'}, bought ${wanted}`]),
    ...(runs === paid.length ? [] : [`${runs} runs for ${paid.length} purchases`]),
  ]
}
