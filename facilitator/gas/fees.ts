import type { Client } from 'viem'
import { estimateFeesPerGas } from 'viem/actions'

/** The fees that a transaction offers, in wei per gas. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** A base fee can double in six full blocks; what is not used is not paid. */
const BASE_FEE_ROOM = 2n

/** Fees that the network takes now, with room for the base fee to rise, never above `cap`. Throws when it asks for more than that. */
export async function presentFees(client: Client, cap: bigint): Promise<Fees & { asked: bigint }> {
  const { maxFeePerGas: asked, maxPriorityFeePerGas } = await estimateFeesPerGas(client)
  if (asked > cap) throw new Error(`the network asks for ${asked} wei per gas, above the cap`)
  const roomy = BASE_FEE_ROOM * (asked - maxPriorityFeePerGas) + maxPriorityFeePerGas
  return { maxFeePerGas: lesser(roomy, cap), maxPriorityFeePerGas, asked }
}

/**
 * Fees at which nodes let a transaction replace one with the same nonce: each at least an eighth higher (geth requires a tenth,
 * others an eighth), and no lower than what the network takes now. Null where the cap leaves no room for that.
 */
export function replacingFees(old: Fees, now: Fees, cap: bigint): Fees | null {
  const maxFeePerGas = lesser(greater(anEighthMore(old.maxFeePerGas), now.maxFeePerGas), cap)
  const maxPriorityFeePerGas = lesser(
    greater(anEighthMore(old.maxPriorityFeePerGas), now.maxPriorityFeePerGas),
    maxFeePerGas,
  )
  const isEnough =
    maxFeePerGas >= anEighthMore(old.maxFeePerGas) && maxPriorityFeePerGas >= anEighthMore(old.maxPriorityFeePerGas)
  return isEnough ? { maxFeePerGas, maxPriorityFeePerGas } : null
}

/** Rounded up, and at least one wei more, so that a tip of zero rises too. */
const anEighthMore = (fee: bigint): bigint => greater((fee * 9n + 7n) / 8n, fee + 1n)

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)
