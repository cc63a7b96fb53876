import type { Client, Hex, TransactionReceipt } from 'viem'
import { getBlockNumber, getTransactionReceipt } from 'viem/actions'

export interface Wait {
  timeoutMs: number
  pollingIntervalMs: number
}

/** The receipt of whichever of these transactions is in a block; null when none is, or the node does not say. */
export async function receiptOf(client: Client, hashes: readonly Hex[]): Promise<TransactionReceipt | null> {
  const found = await Promise.all(hashes.map((hash) => getTransactionReceipt(client, { hash }).catch(() => null)))
  return found.find((receipt) => receipt !== null) ?? null
}

/**
 * Waits for the first receipt among `hashes()`, which is asked anew with each block: a transaction may be replaced meanwhile.
 * Throws after `timeoutMs`.
 */
export async function firstReceipt(
  client: Client,
  hashes: () => Promise<readonly Hex[]>,
  { timeoutMs, pollingIntervalMs }: Wait,
): Promise<TransactionReceipt> {
  const deadline = Date.now() + timeoutMs
  let lastBlock: bigint | null = null
  for (;;) {
    // All who wait share one look at the block number.
    const block: bigint | null = await getBlockNumber(client, { cacheTime: pollingIntervalMs }).catch(() => null)
    if (block !== null && block !== lastBlock) {
      const known = await hashes().catch(() => null)
      const receipt = known && (await receiptOf(client, known))
      if (receipt) return receipt
      if (known) lastBlock = block
    }
    if (Date.now() >= deadline) throw new Error(`no receipt within ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, pollingIntervalMs))
  }
}
