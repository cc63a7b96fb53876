import { createWalletClient, defineChain, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { parseUnits } from 'viem/utils'
import { aicStakingAbi } from '../../contracts/abi/aic-staking.ts'
import { aicTokenAbi } from '../../contracts/abi/aic-token.ts'
import type { Shop } from './shop.ts'

/** Approves and stakes `amount` AIC (a decimal string) of the buyer on the local chain. Throws when one of the two reverts. */
export async function stakeAic({ chain, chainId, key }: Shop, amount: string): Promise<void> {
  if (!chain?.aic || !chain.staking) throw new Error('there is no AIC on this chain')
  const { rpcUrl, aic, staking } = chain
  const client = createWalletClient({
    account: privateKeyToAccount(key),
    chain: defineChain({
      id: chainId,
      name: 'local chain',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
    }),
    transport: http(rpcUrl),
    pollingInterval: 50,
  }).extend(publicActions)
  const atomic = parseUnits(amount, 18)
  const approve = { address: aic, abi: aicTokenAbi, functionName: 'approve', args: [staking, atomic] } as const
  const stake = { address: staking, abi: aicStakingAbi, functionName: 'stake', args: [atomic] } as const
  for (const hash of [await client.writeContract(approve), await client.writeContract(stake)]) {
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`transaction ${hash} reverted`)
  }
}
