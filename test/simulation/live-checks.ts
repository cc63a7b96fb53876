import type { Hex } from 'viem'
import * as z from 'zod'
import type { Row } from '../../db/client.ts'
import type { Authorization } from '../../worker/x402/schemas.ts'
import { journalRowIn } from '../helpers/journal-rows.ts'
import type { Engine } from './engine.ts'
import { SITUATIONS } from './faults.ts'
import type { Ledger } from './ledger.ts'
import type { Received } from './responses.ts'

/** `/settle` is sent again at most this often per row. */
const MAX_RESENDS = 2
/** A driver, and one shared read of all followers, stay far below this; a read per follower does not. */
const MAX_READS = 40
const READS_WINDOW_MS = 10_000
/** From here on a search of the chain that knows only the first claim would miss the transfer. */
const HOURS_LATER_MS = 2 * 3_600_000
const SETTLED_STATES = ['settled', 'done', 'owed']

const rowSchema = z.object({
  nonce: z.string(),
  inference_id: z.string(),
  created_at: z.string(),
  sent_tx_hash: z.string().nullable(),
  authorization: z.object({ validBefore: z.string() }),
})

/** A claim as the database took it, whether the worker received the answer or not. */
export interface Claim {
  inferenceId: string
  at: Date
  /** The signatures of this nonce that the row had, by the end of their validity. */
  signatures: Set<string>
}

/** The facts about one authorization. */
interface Sent {
  rows: number
  claims: number
  settles: number
  /** The transaction that its row names. */
  hash: Hex | null
}

const none: Sent = { rows: 0, claims: 0, settles: 0, hash: null }
const keyOf = (nonce: string): string => nonce.toLowerCase()

/** The rules that must hold at every moment, checked while a schedule is played. What they find is in `violations`. */
export function makeLiveChecks(engine: Engine, ledger: Ledger) {
  const violations: string[] = []
  const sent = new Map<string, Sent>()
  const claims = new Map<string, Claim>()
  /** Callers that began after a receipt said reverted, with the number of claims at that time. */
  const barred = new Map<number, { nonce: string; claims: number }>()
  /** Callers whose worker knew that their payment is settled. */
  const knowing = new Set<number>()

  const sentOf = (nonce: string): Sent => sent.get(keyOf(nonce)) ?? none
  const update = (nonce: string, change: Partial<Sent>) => sent.set(keyOf(nonce), { ...sentOf(nonce), ...change })

  function rowWritten(value: Row): void {
    const found = journalRowIn(value)
    if (found === null) return
    const payment = rowSchema.safeParse(found.payment)
    // A check that cannot read what it checks must not pass.
    if (!payment.success) return void violations.push(`the simulation cannot read a row: ${payment.error.message}`)
    const { nonce, sent_tx_hash: hash, ...row } = payment.data
    const { kind } = found
    update(nonce, { hash: hash === null ? null : `0x${hash.slice(2)}` })
    const { rows, claims: before } = sentOf(nonce)
    if (kind !== 'new' && kind !== 'reclaimed') return
    ledger.expect()
    update(nonce, { claims: before + 1, rows: rows + (kind === 'new' ? 1 : 0) })
    const { validBefore } = row.authorization
    claims.get(keyOf(nonce))?.signatures.add(validBefore)
    const at = new Date(row.created_at)
    const isLate = engine.now().getTime() - at.getTime() > HOURS_LATER_MS
    if (kind === 'reclaimed' && isLate) engine.hit(SITUATIONS.claimedAgain)
    if (kind === 'reclaimed') return
    claims.set(keyOf(nonce), { inferenceId: row.inference_id, at, signatures: new Set([validBefore]) })
  }

  return {
    violations,
    claimOf: (nonce: string) => claims.get(keyOf(nonce)),
    onEffect: (rows: readonly Row[]): void => rows.forEach(rowWritten),
    onAnswer(rows: readonly Row[]): void {
      const caller = engine.callerNow()
      if (caller !== undefined && rows.some(isSettled)) knowing.add(caller)
    },
    callStarts(caller: number, { nonce }: Authorization): void {
      const { hash, claims } = sentOf(nonce)
      if (hash !== null && ledger.isReverted(hash)) barred.set(caller, { nonce, claims })
    },
    /** One `/settle` per claim, and at most two more per row; none by a call that began after the receipt said reverted. */
    settleArrives({ nonce }: Authorization): void {
      const { rows, claims, settles } = sentOf(nonce)
      update(nonce, { settles: settles + 1 })
      if (settles + 1 > claims + rows * MAX_RESENDS) violations.push(`/settle was sent ${settles + 1} times`)
      const bar = barred.get(engine.callerNow() ?? 0)
      if (bar?.claims === claims) violations.push('/settle was sent again after its receipt said reverted')
    },
    runRead: makeReadLimit(engine, violations),
    answered(caller: number, answer: Received): void {
      if (knowing.has(caller)) violations.push(...lacks(answer))
    },
  }
}

/** One process reads one run so often, however many callers follow it. */
function makeReadLimit(engine: Engine, violations: string[]) {
  const reads = new Map<string, number[]>()
  return (owner: number, run: string): void => {
    const now = engine.now().getTime()
    const recent = [...(reads.get(`${owner} ${run}`) ?? []).filter((at) => at > now - READS_WINDOW_MS), now]
    reads.set(`${owner} ${run}`, recent)
    if (recent.length > MAX_READS) violations.push(`one process read one run ${recent.length} times in 10 s`)
  }
}

const isSettled = (row: Row): boolean => SETTLED_STATES.some((state) => state === journalRowIn(row)?.payment['state'])

/** Once the worker knows of the settlement, every answer says so, and where to read the result. */
function lacks({ status, code, body, paymentResponse }: Received): string[] {
  const missing = [
    ...(paymentResponse === false ? ['Payment-Response'] : []),
    ...(status === 200 || body['paymentState'] === 'settled' ? [] : ['paymentState settled']),
    ...(status === 200 || typeof body['statusUrl'] === 'string' ? [] : ['statusUrl']),
  ]
  return missing.map((name) => `a settled payment was answered ${status} ${code} without ${name}`)
}

export type LiveChecks = ReturnType<typeof makeLiveChecks>
