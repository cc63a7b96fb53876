import { isFields, maybeStr } from '../shape.ts'
import type { Provider } from './provider.ts'

/** `replaced`: the sender's wallet sped it up or cancelled it, so this hash never gets a receipt. */
export type TransactionEnd = 'done' | 'reverted' | 'replaced'

const POLL_MS = 1000
/** A node that fails once may still mine the transaction. */
const MOST_FAILURES = 20
/** A node may know the new nonce before it knows the receipt. */
const POLLS_AFTER_NONCE = 3

type Pause = (ms: number) => Promise<void>
const pause: Pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Waits until a transaction is mined, or another one with the sender's nonce is. Failed reads are tried again. Throws the wallet's
 * error after 20 of them in sequence.
 */
export async function waitForTransaction(
  provider: Provider,
  sent: { hash: unknown; from: string },
  sleep: Pause = pause,
): Promise<TransactionEnd> {
  let nonce: number | null = null
  let failures = 0
  let pollsAfterNonce = 0
  for (;;) {
    try {
      const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [sent.hash] })
      if (isFields(receipt)) return maybeStr(receipt, 'status') === '0x1' ? 'done' : 'reverted'
      nonce ??= await readNonce(provider, sent.hash)
      if (nonce !== null && (await readCount(provider, sent.from)) > nonce) pollsAfterNonce += 1
      if (pollsAfterNonce > POLLS_AFTER_NONCE) return 'replaced'
      failures = 0
    } catch (error) {
      failures += 1
      if (failures >= MOST_FAILURES) throw error
    }
    await sleep(POLL_MS)
  }
}

/** The transaction's nonce, or null while the node does not know it. */
async function readNonce(provider: Provider, hash: unknown): Promise<number | null> {
  const transaction = await provider.request({ method: 'eth_getTransactionByHash', params: [hash] })
  const nonce = isFields(transaction) ? maybeStr(transaction, 'nonce') : null
  return nonce === null ? null : Number(nonce)
}

/** How many of the sender's transactions are mined: the next nonce. */
async function readCount(provider: Provider, from: string): Promise<number> {
  return Number(await provider.request({ method: 'eth_getTransactionCount', params: [from, 'latest'] }))
}
