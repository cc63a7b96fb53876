import { type Address, encodeFunctionData } from 'viem'
import type { Rpc } from './rpc.ts'
import { usdcAbi } from './usdc.ts'

/** 1,000 USDC in atomic units. */
export const BUYER_USDC = 1_000_000_000n
/** 100 ETH in wei: buyers pay gas for staking only. */
const BUYER_ETH = 100n * 10n ** 18n

/** Funds each buyer with ETH and USDC once: an account that already has ETH (a kept chain) is not changed. */
export async function fundBuyers(
  rpc: Rpc,
  usdc: Address,
  minter: Address,
  buyers: readonly Address[],
): Promise<Address[]> {
  const balances = await rpc.batch(buyers.map((buyer) => ({ method: 'eth_getBalance', params: [buyer, 'latest'] })))
  const fresh = buyers.filter((_, index) => BigInt(String(balances[index])) === 0n)
  await rpc.batch(
    fresh.map((buyer) => ({ method: 'anvil_setBalance', params: [buyer, `0x${BUYER_ETH.toString(16)}`] })),
  )
  await rpc.transact(
    fresh.map((buyer) => ({
      from: minter,
      to: usdc,
      data: encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [buyer, BUYER_USDC] }),
      gas: 200_000n,
    })),
  )
  return fresh
}
