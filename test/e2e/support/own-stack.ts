import { parseUnits, toHex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { createRpc } from '../../../dev/anvil/rpc.ts'
import { mintUsdc } from '../../helpers/contract-wallets.ts'
import { test as base, walletOptions } from './site.ts'
import { readStackInfo, type StackInfo } from './stack-info.ts'
import { spawnStack } from './start-stack.ts'
import { TestWallet } from './test-wallet.ts'

/** A sale that ends is of no use to other tests, so these have a stack for themselves. */
export const test = base.extend<object, { ownStack: StackInfo; ending: string }>({
  // Stories with different endings are in different workers, and so on different stacks.
  ending: ['success', { option: true, scope: 'worker' }],
  ownStack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from this pattern.
    async ({}, use) => {
      const { line, stop } = await spawnStack()
      await use(readStackInfo(line))
      await stop()
    },
    { scope: 'worker' },
  ],
  stackInfo: async ({ ownStack }, use) => use(ownStack),
})

/** The wallet of a new user with 1,000 USDC, unlocked on the chain so that it can send. */
export async function newUser(stackInfo: StackInfo): Promise<TestWallet> {
  const wallet = new TestWallet(walletOptions(stackInfo, { key: generatePrivateKey() }))
  const rpc = createRpc(stackInfo.rpcUrl)
  const { address } = wallet.account
  await rpc.call('anvil_impersonateAccount', address)
  await rpc.call('anvil_setBalance', address, toHex(parseUnits('1', 18)))
  await mintUsdc(rpc, stackInfo.usdc, parseUnits('1000', 6), [address])
  return wallet
}
