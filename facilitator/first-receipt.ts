import type { Client, Hex, TransactionReceipt } from 'viem'
import { getBlockNumber, getTransactionReceipt } from 'viem/actions'

export interface Wait {
  timeoutMs: number
  pollingIntervalMs: number
}

/** The receipt of the first of these transactions that is in a block; null when there is no receipt, or the node does not answer. */
export async function receiptOf(client: Client, hashes: readonly Hex[]): Promise<TransactionReceipt | null> {
  const found = await Promise.all(hashes.map((hash) => getTransactionReceipt(client, { hash }).catch(() => null)))
  return found.find((receipt) => receipt !== null) ?? null
}

/**
 * Waits for the first receipt among `hashes()`, which is read again with each block: a transaction may be replaced meanwhile.
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
    // Concurrent waits share one read of the block number.
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
