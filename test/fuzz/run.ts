import type { StackInfo } from '../../dev/stack/stack-info.ts'
import { openBuyer } from './buyer.ts'
import { type Call, describeCall, makeSender, type Reply } from './call.ts'
import { makeJudge, SLOW_MS } from './judge.ts'
import { readLedger } from './ledger.ts'
import { mutateCall } from './mutate-call.ts'
import { buyOnPurpose } from './purchase.ts'
import { makeChance } from './random.ts'
import { seedCalls } from './seeds.ts'

export interface FuzzOptions {
  requests: number
  seed: number
  /** Requests in flight at once; default 12. */
  concurrency?: number
  onProgress?(done: number): void
}

export interface FuzzReport {
  requests: number
  /** What went wrong, one line each, with the number of the request that shows it. */
  unexpected: string[]
  /** Answers by status. */
  statuses: Record<string, number>
  /** Requests that took over 2 s amid the others and less when they were asked again alone: the machine stood still. */
  stoodStill: number
  /** Purchases made on purpose. */
  purchases: number
  slowestMs: number
}

/** Every so many requests one is a purchase that must work. */
const PURCHASE_EVERY = 200

/**
 * Throws `requests` broken calls at a local stack and looks at every answer, at the chain and at the provider. The same seed makes
 * the same calls, but for what the stack itself draws (nonces, ids).
 */
export async function fuzz(info: StackInfo, options: FuzzOptions): Promise<FuzzReport> {
  const { requests, seed, concurrency = 12 } = options
  const { send, close } = makeSender(info.origin)
  const key = info.buyers[0]?.privateKey
  if (key === undefined) throw new Error('the stack has no buyer')
  const buyer = await openBuyer(info, key)
  const judge = makeJudge(info)
  const before = await readLedger(info)
  const paid: bigint[] = []
  const report: FuzzReport = { requests, unexpected: [], statuses: {}, stoodStill: 0, purchases: 0, slowestMs: 0 }
  const slow: { number: number; call: Call }[] = []

  async function buy(number: number): Promise<string | null> {
    const { amount, id, complaint } = await buyOnPurpose(send, buyer, makeChance(seed + number))
    paid.push(amount)
    report.purchases += 1
    if (complaint !== null) report.unexpected.push(`#${number} ${complaint}`)
    return id
  }
  const id = await buy(0)
  const unpayable = await Promise.all([1n, 2n, -1n].map(async (short) => (await buyer.payment(short)).header))
  const seeds = seedCalls(buyer, unpayable, id)

  function note(number: number, call: Call, reply: Reply): void {
    report.statuses[reply.status] = (report.statuses[reply.status] ?? 0) + 1
    report.slowestMs = Math.max(report.slowestMs, reply.ms)
    const complaint = judge(call, reply)
    if (complaint !== null) report.unexpected.push(`#${number} ${complaint}: ${describeCall(call)}`)
    if (reply.ms > SLOW_MS) slow.push({ number, call })
  }

  async function shoot(number: number): Promise<void> {
    if (number % PURCHASE_EVERY === 0) return void (await buy(number))
    const chance = makeChance(seed * 1_000_003 + number)
    const call = mutateCall(chance.pick(seeds), chance)
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
  for (const { number, call } of slow) {
    const again = await send(call)
    if (again.ms <= SLOW_MS) report.stoodStill += 1
    else report.unexpected.push(`#${number} takes ${Math.round(again.ms)} ms, alone too: ${describeCall(call)}`)
  }
  report.unexpected.push(...missingMoney(before, await readLedger(info), paid))
  close()
  return report
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
