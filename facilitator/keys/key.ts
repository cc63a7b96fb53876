import type { Client } from 'viem'
import { getBalance } from 'viem/actions'
import { countThatFits } from '../chain/payment-call.ts'
import { KeyOut } from '../chain/send-errors.ts'
import { presentFees } from '../gas/fees.ts'
import type { TransactionId } from '../store/store.ts'
import { makeTurnsOf, type Timing } from '../timing.ts'
import { makeGroup } from './group.ts'
import type { Payment } from './payment-checks.ts'
import type { Receipts } from './receipts.ts'
import { makeResender } from './resend.ts'
import { makeSender, type SenderOptions, type SigningKey } from './sender.ts'

export interface KeyOptions extends SenderOptions {
  client: Client
  account: SigningKey
  receipts: Receipts
  timing: Timing
  maxFeePerGas: bigint
  /** Payments in one transaction at most. */
  maxBatch: number
  /** How long a payment waits for others while a transaction of its key is under way. */
  gatherMs: number
  /** How long a transaction counts as under way. */
  confirmationTimeoutMs: number
}

/** How long a key that cannot pay is left alone. */
const OUT_MS = 15_000

interface Waiting {
  payment: Payment
  resolve(id: TransactionId): void
  reject(error: Error): void
}

/** One signing key on one chain: its queue, its nonces, and what it has under way. */
export function makeKey(options: KeyOptions) {
  const { client, account, maxFeePerGas, maxBatch, gatherMs, receipts, confirmationTimeoutMs, timing, now } = options
  const sender = makeSender(options)
  const inTurn = makeTurnsOf()
  let underWay = 0
  let outUntil = 0

  async function send(items: Waiting[]): Promise<void> {
    try {
      const { maxFeePerGas: maxFee, maxPriorityFeePerGas } = await presentFees(client, maxFeePerGas)
      const count = await affordable(options, items, maxFee)
      if (count === 0) throw new KeyOut(account.address)
      group.putBack(items.slice(count))
      const leaving = items.slice(0, count)
      const fees = { maxFeePerGas: maxFee, maxPriorityFeePerGas }
      const payments = leaving.map(({ payment }) => payment)
      const sent = await inTurn('key', () => sender.send(payments, fees))
      const results = [...sent.values()]
      const id = results.find((result) => !(result instanceof Error))
      if (id !== undefined && !(id instanceof Error)) follow(id)
      if (results.some((result) => result instanceof KeyOut)) outUntil = now().getTime() + OUT_MS
      for (const item of leaving) settle(item, sent.get(item.payment))
    } catch (error) {
      if (error instanceof KeyOut) outUntil = now().getTime() + OUT_MS
      for (const item of items) settle(item, error instanceof Error ? error : new Error(String(error)))
    }
  }

  function follow(id: TransactionId): void {
    underWay += 1
    const end = (): void => {
      underWay -= 1
      if (underWay === 0) group.wake()
    }
    receipts.wait(id, confirmationTimeoutMs).then(end, end)
  }

  const group = makeGroup<Waiting>({
    take: (queue) => takeTogether(queue, maxBatch),
    send,
    waits: (item) => underWay > 0 && !isSingle(item),
    maxCount: maxBatch,
    gatherMs,
    timing,
  })

  return {
    address: account.address,
    /** Resolves when the payment's transaction was sent, or may have been. Rejects when it was not. */
    submit: (payment: Payment): Promise<TransactionId> =>
      new Promise((resolve, reject) => group.push({ payment, resolve, reject })),
    /** Sends again what is stored and not mined. */
    resend: makeResender({ ...options, between: (work) => inTurn('key', work) }),
    /** Payments that wait for it. */
    load: (): number => group.count(),
    isOut: (): boolean => now().getTime() < outUntil,
    /** Resolves when no payment waits for this key. */
    empty: group.empty,
  }
}

export type Key = ReturnType<typeof makeKey>

const isSingle = ({ payment }: Waiting): boolean => payment.batch === null || payment.isAlone

/** Removes from the queue what leaves in one transaction: a payment that is sent alone, or those that are not. */
function takeTogether(queue: Waiting[], maxBatch: number): Waiting[] {
  const [first] = queue
  if (first === undefined || isSingle(first)) return queue.splice(0, 1)
  const together = queue.filter((item) => !isSingle(item)).slice(0, maxBatch)
  for (const item of together) queue.splice(queue.indexOf(item), 1)
  return together
}

/** How many of these can be paid for, and fit in one transaction. */
async function affordable({ client, account }: KeyOptions, items: readonly Waiting[], maxFee: bigint): Promise<number> {
  const balance = await getBalance(client, { address: account.address })
  const gas = balance / maxFee
  const [first] = items
  if (first !== undefined && items.length === 1) return first.payment.gas <= gas ? 1 : 0
  return countThatFits(items.length, gas)
}

function settle({ resolve, reject, payment }: Waiting, result: TransactionId | Error | undefined): void {
  if (result instanceof Error) reject(result)
  else if (result === undefined) reject(new Error(`${payment.settlement.key} was not sent`))
  else resolve(result)
}
