import type { Client, Hex } from 'viem'
import { estimateGas } from 'viem/actions'
import { chainIdOf } from '../protocol/networks.ts'
import { type BatchContractSettings, makeBatchContract } from './chain/batch-contract.ts'
import {
  type ChainClientOptions,
  connect,
  makeCodes,
  readBalance,
  readBlockTime,
  readIsUsed,
} from './chain/chain-client.ts'
import { recordOutcomes, type Verdict } from './chain/outcome.ts'
import { type BatchEntry, type Call, DIRECT_GAS, gasBound } from './chain/payment-call.ts'
import { makeAdmission, NotAdmitted } from './gas/admission.ts'
import { presentFees } from './gas/fees.ts'
import type { GasBudget } from './gas/gas-budget.ts'
import { makeHeldKeys } from './keys/held-keys.ts'
import type { Payment } from './keys/payment-checks.ts'
import { makeReceipts } from './keys/receipts.ts'
import { resendOfOldKeys } from './keys/resend.ts'
import type { SigningKey } from './keys/sender.ts'
import type { Log } from './log.ts'
import type { Settlement, SettlementStore, TransactionId } from './store/store.ts'
import type { Timing } from './timing.ts'

export interface NetworkOptions extends ChainClientOptions, BatchContractSettings {
  /** Every key of this network, also those that another process holds. */
  keys: readonly SigningKey[]
  /** Payments in one transaction at most; with 1 each has its own. */
  maxBatch: number
  /** How long a payment waits for others while a transaction of its key is under way. */
  gatherMs: number
  /** How long a settlement waits for its receipt before the answer is `settlement_pending`. */
  confirmationTimeoutMs: number
  /** A transfer that would use more gas than this is not sent (a contract wallet decides how much its check uses). */
  maxGas: bigint
  /** Nothing is sent while the network asks for more than this, in wei per gas. */
  maxFeePerGas: bigint
  /** Gas that reverts may cost. */
  budget: GasBudget
  store: SettlementStore
  timing: Timing
  now(): Date
  log: Log
}

/** The outcome of a payment: `pending` without a receipt in time; `failed` when it must be checked alone. */
export interface Result {
  kind: Verdict | 'pending'
  hash: Hex
  id: TransactionId
}

/** A payment, with its entry for the batch contract if its signature is a plain account's. */
export interface NewPayment extends Pick<Payment, 'settlement' | 'call' | 'hasCode' | 'isAlone'> {
  entry: BatchEntry | null
}

/** One chain with the keys that pay its gas. A process sends with the keys that it holds. */
export function makeNetwork(options: NetworkOptions) {
  const { network, keys, store, now, log, budget, confirmationTimeoutMs } = options
  const client = connect(options)
  const ofOutcome = { client, network, store, now, log }
  const admission = makeAdmission({ ...ofOutcome, budget })
  const receipts = makeReceipts({
    ...options,
    client,
    onReceipt: (sent, mined) => recordOutcomes(ofOutcome, sent, mined),
  })
  const { list, submit, ...held } = makeHeldKeys({
    ...options,
    client,
    chainId: chainIdOf(network),
    admission,
    receipts,
  })
  const contract = makeBatchContract({ ...options, client })
  const isOurs = (signer: string): boolean => keys.some(({ address }) => address.toLowerCase() === signer)

  /** The outcome of a payment in a transaction that was sent. */
  async function outcome(settlement: Settlement, id: TransactionId): Promise<Result> {
    const mined = await receipts.wait(id, confirmationTimeoutMs)
    if (mined !== null) return { kind: mined.verdictOf(settlement), hash: mined.hash, id }
    return { kind: 'pending', hash: (await store.read(id))?.hash ?? '0x', id }
  }

  return {
    ...held,
    network,
    client,
    addresses: keys.map(({ address }) => address),
    admission,
    outcome,
    store,
    isUsed: (settlement: Settlement): Promise<boolean> => readIsUsed(client, settlement),
    codeOf: makeCodes(options),
    balanceOf: (address: Hex): Promise<bigint> => readBalance(client, address),
    blockTime: (): Promise<bigint> => readBlockTime(client),
    /** Throws `WrongBatchContract` when the address is not this build's contract for this payee and these tokens. */
    checkBatch: contract.check,
    /** Without an entry, and where the batch contract is not there, the payment is sent by itself to the token. */
    async settle({ entry, ...payment }: NewPayment): Promise<Result> {
      const address = entry === null || payment.hasCode ? null : await contract.address()
      const batch = entry === null || address === null ? null : { contract: address, entry }
      const gas = payment.hasCode ? await estimated(client, options, payment.call) : batch ? gasBound(1) : DIRECT_GAS
      return outcome(payment.settlement, await submit({ ...payment, batch, gas }))
    },
    /** Sends again what is stored and not mined: of the keys held here, and of keys that this network has no more. */
    async resend(): Promise<void> {
      await Promise.all([...list().map((key) => key.resend()), resendOfOldKeys(ofOutcome, isOurs)])
    },
  }
}

export type Network = ReturnType<typeof makeNetwork>

/** The sender of simulations and estimates: the first key stands for all. */
export function payerOf({ keys }: Pick<NetworkOptions, 'keys'>): Hex {
  const [first] = keys
  if (first === undefined) throw new Error('there is no key')
  return first.address
}

/** Gas of a transfer that runs a wallet's code. Throws, before it has a nonce or a signature, when it is above the cap or the call would fail. */
async function estimated(client: Client, options: NetworkOptions, call: Call): Promise<bigint> {
  const { maxGas } = options
  const { maxFeePerGas, maxPriorityFeePerGas } = await presentFees(client, options.maxFeePerGas)
  const estimate = await estimateGas(client, { account: payerOf(options), ...call, maxFeePerGas, maxPriorityFeePerGas })
  if (estimate > maxGas) throw new NotAdmitted('transfer_gas_above_cap')
  const roomy = estimate + estimate / 4n
  return roomy < maxGas ? roomy : maxGas
}
