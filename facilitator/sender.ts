import { BaseError, type Client, type Hex, keccak256, type PrivateKeyAccount, RpcRequestError } from 'viem'
import { getTransactionCount, sendRawTransaction } from 'viem/actions'
import { createNonceManager } from 'viem/nonce'
import type { Fees } from './fees.ts'
import { receiptOf } from './first-receipt.ts'
import { type Log, reasonOf } from './log.ts'
import type { SettlementStore } from './store.ts'

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

/** Nothing is known: the transaction may yet be sent, so a plain "no" would be a lie. */
export class SendUnclear extends Error {
  constructor(cause: unknown) {
    super('the transaction may or may not have been written down', { cause })
    this.name = 'SendUnclear'
  }
}

export interface Sender {
  /**
   * Signs, writes down, sends; gives the hash. Throws `SendUnclear`, or the node's own error when it refused the transaction for
   * good. One that the node may or may not have got is no error: `resend` sees to it.
   */
  send(owner: { key: string; signature: string }, transfer: Transfer): Promise<Hex>
  /** Runs `work` while nothing is being sent: until then an entry in the store may be one whose refusal is just being heard. */
  between<T>(work: () => Promise<T>): Promise<T>
}

/** The one place where a key's transactions are numbered and leave, one at a time. */
export function makeSender({ client, account, network, chainId, store, now, log }: SenderOptions): Sender {
  const signer = account.address.toLowerCase()
  const nonces = createNonceManager({
    source: {
      // A node that lags, or lost what it was sent, knows of fewer transactions than were signed.
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

  async function write(owner: { key: string; signature: string }, transfer: Transfer) {
    const nonce = await nonces.consume({ ...numbered, client })
    try {
      const raw = await account.signTransaction({ ...transfer, type: 'eip1559', chainId, nonce })
      const at = now()
      const sent = { hash: keccak256(raw), raw, replaced: [], sentAt: at, pricedAt: at }
      const entry = { ...owner, network, signer, accountNonce: nonce, ...sent }
      await store.record(entry)
      return entry
    } catch (cause) {
      nonces.reset(numbered)
      throw new SendUnclear(cause)
    }
  }

  const send: Sender['send'] = (owner, transfer) =>
    inTurn(async () => {
      const entry = await write(owner, transfer)
      try {
        await sendRawTransaction(client, { serializedTransaction: entry.raw })
      } catch (error) {
        if (await isRefused(client, error, entry.hash)) {
          await store.forget(entry.key)
          nonces.reset(numbered)
          throw error
        }
        log('warn', 'send.unclear', { network, hash: entry.hash, reason: reasonOf(error) })
      }
      return entry.hash
    })

  return { send, between: inTurn }
}

/** Runs what it is given one after the other, also after a failure. */
function makeQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}

/** Whether the node said no for good. Without its own answer nothing is known; "known" or "too low" may be our first try's doing. */
async function isRefused(client: Client, error: unknown, hash: Hex): Promise<boolean> {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  if (!(answer instanceof RpcRequestError)) return false
  const text = `${answer.message} ${answer.details}`
  if (/already (known|imported)|known transaction/i.test(text)) return false
  return !(/nonce too low/i.test(text) && (await receiptOf(client, [hash])) !== null)
}
