import { createWalletClient, http, type PrivateKeyAccount, parseUnits, publicActions } from 'viem'
import type { LocalStack } from '../../client/node/local-stack.ts'
import { aicStakingAbi } from '../../contracts/abi/aic-staking.ts'
import { aicTokenAbi } from '../../contracts/abi/aic-token.ts'

/** Approves and stakes `amount` AIC (a decimal string) on the local chain. Throws when a transaction reverts. */
export async function stakeAic(
  { rpcUrl, contracts }: Pick<LocalStack, 'rpcUrl' | 'contracts'>,
  account: PrivateKeyAccount,
  amount: string,
): Promise<void> {
  const { aicToken: token, aicStaking: staking } = contracts
  if (token === undefined || staking === undefined) throw new Error('there is no AIC on this chain')
  const client = createWalletClient({ account, transport: http(rpcUrl), pollingInterval: 50 }).extend(publicActions)
  const atomic = parseUnits(amount, 18)
  const approve = { address: token, abi: aicTokenAbi, functionName: 'approve', args: [staking, atomic] } as const
  const stake = { address: staking, abi: aicStakingAbi, functionName: 'stake', args: [atomic] } as const
  for (const send of [
    () => client.writeContract({ ...approve, chain: null }),
    () => client.writeContract({ ...stake, chain: null }),
  ]) {
    const hash = await send()
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`transaction ${hash} reverted`)
  }
}
