import {
  BaseError,
  type Client,
  type Hex,
  keccak256,
  type PrivateKeyAccount,
  RpcRequestError,
  TransactionReceiptNotFoundError,
} from 'viem'
import { getTransactionCount, getTransactionReceipt, sendRawTransaction } from 'viem/actions'
import { createNonceManager } from 'viem/nonce'
import type { Fees } from './fees.ts'
import { type Log, reasonOf } from './log.ts'
import type { Settlement, SettlementStore } from './store.ts'

export interface SenderOptions {
  client: Client
  account: PrivateKeyAccount
  network: string
  chainId: number
  store: SettlementStore
  now(): Date
  log: Log
}

/** What is sent, fees and gas decided. */
export interface Transfer extends Fees {
  to: Hex
  data: Hex
  gas: bigint
}

/** The entry may or may not be stored, so the transaction may yet be sent. The outcome is unknown, not a refusal. */
export class SendUnclear extends Error {
  constructor(cause: unknown) {
    super('the transaction may or may not have been stored', { cause })
    this.name = 'SendUnclear'
  }
}

export interface Sender {
  /**
   * Checks, signs, stores and sends; returns the hash. `admit` runs while no other transaction of this key is sent. Throws what
   * `admit` throws, `SendUnclear`, or the node's error when it refused the transaction for good. A transaction that the node may
   * have received is not an error: `resend` sends it again.
   */
  send(settlement: Settlement, transfer: Transfer, admit: () => Promise<{ isTrial: boolean }>): Promise<Hex>
  /** Runs `work` while nothing is being sent, so that no entry is one that the node is about to refuse. */
  between<T>(work: () => Promise<T>): Promise<T>
}

/** The one place where a key's transactions get their nonces and are sent, one at a time. */
export function makeSender({ client, account, network, chainId, store, now, log }: SenderOptions): Sender {
  const signer = account.address.toLowerCase()
  const nonces = createNonceManager({
    source: {
      // A node that lags, or lost what it received, knows of fewer transactions than were signed.
      async get() {
        const pending = await getTransactionCount(client, { address: account.address, blockTag: 'pending' })
        const ours = (await store.open(network)).filter((entry) => entry.signer === signer)
        return Math.max(pending, ...ours.map(({ accountNonce }) => accountNonce + 1))
      },
      set: () => undefined,
    },
  })
  const numbered = { address: account.address, chainId }
  const inTurn = makeQueue()

  async function write(settlement: Settlement, transfer: Transfer, isTrial: boolean) {
    const nonce = await nonces.consume({ ...numbered, client })
    try {
      const raw = await account.signTransaction({ ...transfer, type: 'eip1559', chainId, nonce })
      const at = now()
      const sent = { hash: keccak256(raw), raw, replaced: [], sentAt: at, pricedAt: at, endedAt: null }
      const entry = { ...settlement, signer, accountNonce: nonce, gas: transfer.gas, isTrial, ...sent }
      await store.record(entry)
      return entry
    } catch (cause) {
      nonces.reset(numbered)
      throw new SendUnclear(cause)
    }
  }

  const send: Sender['send'] = (settlement, transfer, admit) =>
    inTurn(async () => {
      const { isTrial } = await admit()
      const entry = await write(settlement, transfer, isTrial)
      try {
        await sendRawTransaction(client, { serializedTransaction: entry.raw })
      } catch (error) {
        if (await isRefused(client, error, entry.hash)) {
          await store.forget(entry.key)
          nonces.reset(numbered)
          throw error
        }
        log('warn', 'send.unclear', { network, hash: entry.hash, reason: detailOf(error) })
      }
      return entry.hash
    })

  return { send, between: inTurn }
}

/** Runs tasks one after the other, also after a failure. */
function makeQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}

/**
 * Words of nodes (geth, reth, erigon, nethermind, besu, anvil) for a transaction that they checked and did not take. Every other
 * error says nothing: nodes and gateways answer -32603, -32000 "request timed out" or -32005 for transactions that they took.
 */
const REFUSALS = [
  /insufficient ?funds/i,
  /upfront cost exceeds account balance/i,
  /intrinsic gas (is )?(too low|exceeds gas limit)/i,
  /exceeds the configured cap/i,
  /max priority fee per gas (is )?higher than max fee per gas/i,
  /exceeds block gas limit|gas limit (is )?too high/i,
  /oversized data|transaction (is )?too large/i,
  /invalid sender|invalid signature|invalid transaction v, r, s|only replay-protected|invalid chain ?id/i,
]
const NONCE_TOO_LOW = /nonce (is )?too low/i

/** Whether the node refused the transaction for good, so that it will never be mined. */
async function isRefused(client: Client, error: unknown, hash: Hex): Promise<boolean> {
  const answer = rpcAnswer(error)
  if (answer === null) return false
  const text = `${answer.message} ${answer.details}`
  if (NONCE_TOO_LOW.test(text)) return isUnknown(client, hash)
  return REFUSALS.some((refusal) => refusal.test(text))
}

/** The JSON-RPC error that the node answered; null when there was no such answer. */
function rpcAnswer(error: unknown): RpcRequestError | null {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  return answer instanceof RpcRequestError ? answer : null
}

const detailOf = (error: unknown): string => reasonOf(rpcAnswer(error)?.details ?? error)

/** True only when the node says that there is no receipt: a nonce that is too low may be the first try's own. */
async function isUnknown(client: Client, hash: Hex): Promise<boolean> {
  try {
    await getTransactionReceipt(client, { hash })
    return false
  } catch (error) {
    return error instanceof TransactionReceiptNotFoundError
  }
}
