import { type Client, type Hex, keccak256, type TransactionSerializableEIP1559 } from 'viem'
import { getTransactionCount, sendRawTransaction } from 'viem/actions'
import {
  AlreadyStored,
  detailOf,
  isRefused,
  isWithoutFunds,
  KeyOut,
  SendUnclear,
  WouldFail,
} from '../chain/send-errors.ts'
import type { Admission } from '../gas/admission.ts'
import type { Fees } from '../gas/fees.ts'
import { type Log, reasonOf } from '../log.ts'
import type { SentTransaction, SettlementStore, TransactionId } from '../store/store.ts'
import { type Admitted, callOf, checkPayments, limitOf, type Payment, type Sent, shareOf } from './payment-checks.ts'

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

export interface Sender {
  /** Checks, simulates, signs, stores and sends these payments in one transaction. Never rejects. */
  send(payments: readonly Payment[], fees: Fees): Promise<Sent>
}

/** The one place where a key's transactions get their nonces and are sent. Call it for one transaction at a time. */
export function makeSender(options: SenderOptions): Sender {
  const { network, store } = options
  let nextNonce: number | null = null

  /** Signs and stores the transaction; null when there is nothing left to send. */
  async function write(payments: readonly Payment[], fees: Fees, sent: Sent): Promise<SentTransaction | null> {
    let admitted = await checkPayments(options, payments, fees, sent)
    while (admitted.length > 0) {
      nextNonce ??= await readNonce(options)
      const transaction = await sign(options, admitted, fees, nextNonce)
      const taken = new Set(await store.record(transaction).catch(throwUnclear))
      if (taken.size === 0) {
        nextNonce = transaction.accountNonce + 1
        return transaction
      }
      const isTaken = ({ payment }: Admitted) => taken.has(payment.settlement.key)
      for (const { payment } of admitted.filter(isTaken)) sent.set(payment, new AlreadyStored())
      admitted = admitted.filter((each) => !isTaken(each))
    }
    return null
  }

  return {
    async send(payments, fees) {
      const sent: Sent = new Map()
      const fill = (result: TransactionId | Error): void => {
        for (const payment of payments) if (!sent.has(payment)) sent.set(payment, result)
      }
      try {
        const transaction = await store.inTurn(network, () => write(payments, fees, sent))
        if (transaction === null) return sent
        const refusal = await submit(options, transaction)
        if (refusal !== null) nextNonce = null
        fill(refusal ?? transaction)
      } catch (error) {
        // The nonce may be used or not: it is read again.
        if (error instanceof SendUnclear) nextNonce = null
        fill(error instanceof Error ? error : new Error(String(error)))
      }
      return sent
    },
  }
}

function throwUnclear(cause: unknown): never {
  throw new SendUnclear(cause)
}

/** A node that lags, or lost what it received, knows of fewer transactions than were signed. */
async function readNonce({ client, account, network, store }: SenderOptions): Promise<number> {
  const [pending, stored] = await Promise.all([
    getTransactionCount(client, { address: account.address, blockTag: 'pending' }),
    store.nextNonce({ network, signer: account.address.toLowerCase() }),
  ])
  return Math.max(pending, stored)
}

async function sign(
  { account, network, chainId, now }: SenderOptions,
  admitted: readonly Admitted[],
  fees: Fees,
  nonce: number,
): Promise<SentTransaction> {
  const payments = admitted.map(({ payment }) => payment)
  const gas = limitOf(payments)
  const transaction = { ...callOf(payments), gas, ...fees }
  const raw = await account.signTransaction({ ...transaction, type: 'eip1559', chainId, nonce })
  const at = now()
  const entries = admitted.map(({ payment, isTrial }) => {
    return { ...payment.settlement, gas: shareOf(payments), isTrial, endedAt: null }
  })
  const id = { network, signer: account.address.toLowerCase(), accountNonce: nonce }
  return { ...id, gas, hash: keccak256(raw), raw, replaced: [], sentAt: at, pricedAt: at, minedAt: null, entries }
}

/** Null when the node took the transaction or may have taken it; else why it never will: it is not stored then. */
async function submit(options: SenderOptions, { raw, hash, ...id }: SentTransaction): Promise<Error | null> {
  const { client, account, network, store, log } = options
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
    if (isWithoutFunds(error)) return new KeyOut(account.address)
    return id.entries.length > 1 ? new WouldFail() : new Error(reasonOf(error))
  }
}
