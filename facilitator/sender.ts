import { type Client, type Hex, keccak256, type TransactionSerializableEIP1559 } from 'viem'
import { call, getBlockNumber, getTransactionCount, sendRawTransaction } from 'viem/actions'
import { type Admission, NotAdmitted } from './admission.ts'
import type { Fees } from './fees.ts'
import { type Log, reasonOf } from './log.ts'
import { batchCall, batchResults, type Call, gasBound } from './payment-call.ts'
import {
  AlreadyStored,
  detailOf,
  isRefused,
  isRevert,
  isWithoutFunds,
  KeyOut,
  SendUnclear,
  WouldFail,
} from './send-errors.ts'
import type { SentTransaction, Settlement, SettlementStore, TransactionId } from './store.ts'

/** A key that pays gas. */
export interface SigningKey {
  address: Hex
  signTransaction(transaction: TransactionSerializableEIP1559): Promise<Hex>
}

export interface SenderOptions {
  client: Client
  account: SigningKey
  network: string
  chainId: number
  store: SettlementStore
  admission: Admission
  now(): Date
  log: Log
}

/** A payment that passed every check that needs no turn. */
export interface Payment {
  settlement: Settlement
  call: Call
  /** The payer has code: its payment is never sent with others, since code can use the gas of all of them. */
  hasCode: boolean
  /** Not to be sent with others. */
  isAlone: boolean
  /** The gas limit when it is sent alone. */
  gas: bigint
}

/** Each payment's transaction, or why it was not sent. */
export type Sent = Map<Payment, TransactionId | Error>

export interface Sender {
  /** Checks, simulates, signs, stores and sends these payments in one transaction. Never rejects. */
  send(payments: readonly Payment[], fees: Fees): Promise<Sent>
}

/** The one place where a key's transactions get their nonces and are sent. Call it for one transaction at a time. */
export function makeSender(options: SenderOptions): Sender {
  const { client, account, network, chainId, store, admission, now, log } = options
  const signer = account.address.toLowerCase()
  let nextNonce: number | null = null

  /** A node that lags, or lost what it received, knows of fewer transactions than were signed. */
  async function readNonce(): Promise<number> {
    const [pending, stored] = await Promise.all([
      getTransactionCount(client, { address: account.address, blockTag: 'pending' }),
      store.nextNonce({ network, signer }),
    ])
    return Math.max(pending, stored)
  }

  /** Which of these calls succeed at this block, one after the other, with the sender and the fees of their transaction. */
  async function simulate(payments: readonly Payment[], fees: Fees, blockNumber: bigint): Promise<boolean[]> {
    const calls = payments.map((payment) => payment.call)
    const sent = { account: account.address, ...batchCall(calls), gas: limitOf(payments), ...fees, blockNumber }
    try {
      const { data = '0x' } = await call(client, sent)
      return calls.length === 1 ? [true] : batchResults(data).map(({ success }) => success)
    } catch (error) {
      if (isWithoutFunds(error)) throw new KeyOut(account.address)
      if (isRevert(error)) return payments.map(() => false)
      throw error
    }
  }

  /** Sorts out what must not be sent: what fails now, and what budget or balance refuse. */
  async function check(payments: readonly Payment[], fees: Fees, sent: Sent) {
    const block = await getBlockNumber(client, { cacheTime: 0 })
    const succeeds = await simulate(payments, fees, block)
    const able = payments.filter((payment, index) => succeeds[index] || void sent.set(payment, new WouldFail()))
    if (able.length === 0) return []
    const applicants = able.map(({ settlement, hasCode }) => ({ settlement, hasCode, gas: shareOf(able) }))
    const decisions = await admission.admit(applicants, block)
    return able.flatMap((payment, index) => {
      const decision = decisions[index] ?? new NotAdmitted('unknown_payer')
      if (!(decision instanceof NotAdmitted)) return [{ payment, ...decision }]
      sent.set(payment, decision)
      return []
    })
  }

  /** Signs and stores the transaction; null when there is nothing left to send. */
  async function write(payments: readonly Payment[], fees: Fees, sent: Sent): Promise<SentTransaction | null> {
    let admitted = await check(payments, fees, sent)
    while (admitted.length > 0) {
      const transaction = await sign(admitted, fees)
      const taken = new Set(await store.record(transaction).catch(throwUnclear))
      if (taken.size === 0) {
        nextNonce = transaction.accountNonce + 1
        return transaction
      }
      const isTaken = ({ payment }: (typeof admitted)[number]) => taken.has(payment.settlement.key)
      for (const { payment } of admitted.filter(isTaken)) sent.set(payment, new AlreadyStored())
      admitted = admitted.filter((each) => !isTaken(each))
    }
    return null
  }

  async function sign(
    admitted: readonly { payment: Payment; isTrial: boolean }[],
    fees: Fees,
  ): Promise<SentTransaction> {
    nextNonce ??= await readNonce()
    const payments = admitted.map(({ payment }) => payment)
    const gas = limitOf(payments)
    const transaction = { ...batchCall(payments.map((payment) => payment.call)), gas, ...fees }
    const raw = await account.signTransaction({ ...transaction, type: 'eip1559', chainId, nonce: nextNonce })
    const at = now()
    const entries = admitted.map(({ payment, isTrial }) => {
      return { ...payment.settlement, gas: shareOf(payments), isTrial, endedAt: null }
    })
    const id = { network, signer, accountNonce: nextNonce }
    return { ...id, gas, hash: keccak256(raw), raw, replaced: [], sentAt: at, pricedAt: at, minedAt: null, entries }
  }

  function throwUnclear(cause: unknown): never {
    nextNonce = null
    throw new SendUnclear(cause)
  }

  /** Null when the node took the transaction or may have taken it; else why it never will. */
  async function submit({ raw, hash, ...id }: SentTransaction): Promise<Error | null> {
    try {
      await sendRawTransaction(client, { serializedTransaction: raw })
      return null
    } catch (error) {
      if (!(await isRefused(client, error, hash))) {
        log('warn', 'send.unclear', { network, hash, reason: detailOf(error) })
        return null
      }
      log('warn', 'send.refused', { network, hash, reason: detailOf(error) })
      await store.discard(id).catch(throwUnclear)
      nextNonce = null
      if (isWithoutFunds(error)) return new KeyOut(account.address)
      return id.entries.length > 1 ? new WouldFail() : new Error(reasonOf(error))
    }
  }

  return {
    async send(payments, fees) {
      const sent: Sent = new Map()
      const fill = (result: TransactionId | Error): void => {
        for (const payment of payments) if (!sent.has(payment)) sent.set(payment, result)
      }
      try {
        const transaction = await store.inTurn(network, () => write(payments, fees, sent))
        if (transaction !== null) fill((await submit(transaction)) ?? transaction)
      } catch (error) {
        fill(error instanceof Error ? error : new Error(String(error)))
      }
      return sent
    },
  }
}

const limitOf = (payments: readonly Payment[]): bigint =>
  payments.length === 1 ? (payments[0]?.gas ?? 0n) : gasBound(payments.length)

/** One payment's part of the limit, rounded up. */
const shareOf = (payments: readonly Payment[]): bigint =>
  (limitOf(payments) + BigInt(payments.length) - 1n) / BigInt(payments.length)
