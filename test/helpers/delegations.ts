import { createClient, type Hex, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { getTransactionReceipt, sendTransaction } from 'viem/actions'
import { foundry } from 'viem/chains'
import { createRpc } from '../../dev/anvil/rpc.ts'
import { setCode, walletAt } from './contract-wallets.ts'

/** JUMPDEST PUSH0 JUMP: uses up all gas that a call gets. */
const LOOP = '0x5b5f56'
const LOOP_AT = walletAt(7, 0)
const GWEI = 1_000_000_000n

export interface PlainPayer {
  address: Hex
  privateKey: Hex
}

export const newPlainPayer = (): PlainPayer => {
  const privateKey = generatePrivateKey()
  return { address: privateKeyToAccount(privateKey).address, privateKey }
}

/** An attacker that has plain accounts delegate to a loop (EIP-7702), before everything else in the block. It pays its own gas. */
export async function makeDelegations(rpcUrl: string) {
  const rpc = createRpc(rpcUrl)
  const account = privateKeyToAccount(generatePrivateKey())
  const client = createClient({ account, chain: foundry, transport: http(rpcUrl), pollingInterval: 20 })
  await rpc.call('anvil_setBalance', account.address, '0x56bc75e2d63100000')
  await setCode(rpc, LOOP_AT, LOOP)
  const hashes: Hex[] = []
  let nonce = 0
  return {
    /** Sends one transaction that makes all of these delegate. Each must not have sent or delegated before. */
    async delegate(payers: readonly PlainPayer[]): Promise<void> {
      const authorizationList = await Promise.all(
        payers.map(({ privateKey }) =>
          privateKeyToAccount(privateKey).signAuthorization({ address: LOOP_AT, chainId: foundry.id, nonce: 0 }),
        ),
      )
      const gas = 40_000n + 30_000n * BigInt(payers.length)
      const fees = { maxFeePerGas: 200n * GWEI, maxPriorityFeePerGas: 100n * GWEI }
      hashes.push(await sendTransaction(client, { to: account.address, gas, nonce, ...fees, authorizationList }))
      nonce += 1
    },
    /** Gas that all of them used. */
    async gasUsed(): Promise<bigint> {
      const receipts = await Promise.all(hashes.map((hash) => getTransactionReceipt(client, { hash })))
      return receipts.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
    },
  }
}
