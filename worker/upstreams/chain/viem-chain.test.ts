import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { deployerKey, facilitatorKey } from '../../../dev/anvil/accounts.ts'
import { CHAIN_ID, makeTransfers, useDevChain } from '../../../test/helpers/dev-chain.ts'
import type { Fetch } from '../../lib/http.ts'
import { ChainUnavailable } from './chain.ts'

const abi = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool, bytes)[])',
])
const UNKNOWN_HASH: Hex = `0x${'12'.repeat(32)}`

const dev = useDevChain()
const { freshQuery, settleCall, settle, cancel } = makeTransfers(dev)

const chainTime = async (): Promise<number> =>
  Number(
    z.object({ timestamp: z.string() }).parse(await dev.rpc.call('eth_getBlockByNumber', 'latest', false)).timestamp,
  )
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
    const chain = dev.chainOver()
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
    const chain = dev.chainOver()
    const query = freshQuery()
    const transaction = await settle(query)
    const before = await chain.transferIn(query, transaction)
    await dev.rpc.call('anvil_mine', '0x5')
    const after = await dev.chainOver().transferIn(query, transaction)
    expect(before?.confirmations).toBeGreaterThanOrEqual(1)
    expect((after?.confirmations ?? 0) - (before?.confirmations ?? 0)).toBeGreaterThanOrEqual(5)
  })

  it('behavior: of three settled in one transaction each finds its own transfer', async () => {
    const chain = dev.chainOver()
    const queries = [freshQuery(), freshQuery(), freshQuery()]
    const calls = await Promise.all(
      queries.map(async (query) => ({ target: query.asset, allowFailure: false, callData: await settleCall(query) })),
    )
    const data = encodeFunctionData({ abi, functionName: 'aggregate3', args: [calls] })
    const transaction = await dev.transact({ to: dev.contract('multicall3'), data })
    const found = await Promise.all(queries.map((query) => chain.transferIn(query, transaction)))
    expect(found.map((transfer) => transfer?.logIndex)).toEqual([1, 3, 5])
    const last = freshQuery()
    expect(await chain.transferIn(last, transaction)).toBeNull()
  })

  it('behavior: a cancelled nonce is spent, and moved no money', async () => {
    const query = freshQuery()
    await cancel(query)
    expect((await dev.chainOver().authorizationStatus(query)).spent).toBe(true)
    expect(await dev.chainOver().authorizationOutcome(query, await minutesAgo(60), NO_END)).toEqual({
      kind: 'cancelled',
    })
  })

  it('behavior: a nonce that moved another amount went elsewhere', async () => {
    const query = freshQuery()
    await settle({ ...query, amount: 9_999n })
    expect(await dev.chainOver().authorizationOutcome(query, await minutesAgo(60), NO_END)).toEqual({
      kind: 'elsewhere',
    })
  })

  it('behavior: what was spent before the search began is not found', async () => {
    const query = freshQuery()
    await settle(query)
    expect(await dev.chainOver().authorizationOutcome(query, await minutesAgo(-1), NO_END)).toEqual({
      kind: 'not_found',
    })
    await dev.rpc.call('anvil_mine', '0x40', '0x3c')
    expect(await dev.chainOver().authorizationOutcome(query, await minutesAgo(10), NO_END)).toEqual({
      kind: 'not_found',
    })
    expect(await dev.chainOver().authorizationOutcome(query, await minutesAgo(120), NO_END)).toMatchObject({
      kind: 'transferred',
    })
  })

  it('behavior: a transfer is found however long after the start of the search, up to its end', async () => {
    const query = freshQuery()
    const since = await minutesAgo(0)
    await dev.rpc.call('anvil_mine', '0x20', '0x258')
    await settle(query)
    expect(await dev.chainOver().authorizationOutcome(query, since, NO_END)).toMatchObject({ kind: 'transferred' })
    await dev.rpc.call('anvil_mine', '0x40', '0x3c')
    const early = await minutesAgo(64 + 200)
    expect(await dev.chainOver().authorizationOutcome(query, since, early)).toEqual({ kind: 'not_found' })
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
    expect(await dev.chainOver(narrow).authorizationOutcome(query, await minutesAgo(5), NO_END)).toMatchObject({
      kind: 'transferred',
    })
  })

  it('error: ChainUnavailable when a lagging node shows no log of a spent nonce', async () => {
    const query = freshQuery()
    const since = await minutesAgo(5)
    await settle(query)
    const blind = dev.chainOver(spoiled('eth_getLogs', () => ({ result: [] })))
    await expect(blind.authorizationOutcome(query, since, NO_END)).rejects.toThrow(ChainUnavailable)
  })

  it('behavior: a transaction that is not mined, or not ours, holds no transfer', async () => {
    expect(await dev.chainOver().transferIn(freshQuery(), UNKNOWN_HASH)).toBeNull()
    const query = freshQuery()
    const transaction = await settle(query)
    expect(await dev.chainOver().transferIn({ ...query, amount: 1n }, transaction)).toBeNull()
  })
})

describe('transactions', () => {
  it('default: one that was mined and reverted is said so, others are not', async () => {
    const chain = dev.chainOver()
    const query = freshQuery()
    const transaction = await settle(query)
    expect(await chain.isReverted(31337, transaction)).toBe(false)
    expect(await chain.isReverted(31337, UNKNOWN_HASH)).toBe(false)
    const gas = '0x1e8480'
    const call = { from: facilitatorKey().account.address, to: query.asset, data: await settleCall(query), gas }
    const again = z.templateLiteral(['0x', z.string()]).parse(await dev.rpc.call('eth_sendTransaction', call))
    await expect.poll(() => chain.isReverted(31337, again)).toBe(true)
  })
})

describe('tokens', () => {
  it('default: USDC is payable under its own name only', async () => {
    const chain = dev.chainOver()
    expect(await chain.isPayableToken(CHAIN_ID, dev.stack.usdc, { name: 'USD Coin', version: '2' })).toBe(true)
    expect(await chain.isPayableToken(CHAIN_ID, dev.stack.usdc, { name: 'USDC', version: '2' })).toBe(false)
    expect(await chain.isPayableToken(CHAIN_ID, dev.stack.usdc, { name: 'USD Coin', version: '1' })).toBe(false)
  })

  it('behavior: wrapped AIC is payable; AIC without EIP-3009 or a missing contract is not', async () => {
    const chain = dev.chainOver()
    const wrappedAic = dev.contract('wrappedAic')
    const name = await chain.tokenName(CHAIN_ID, wrappedAic)
    expect(await chain.isPayableToken(CHAIN_ID, wrappedAic, { name, version: '1' })).toBe(true)
    const aic = await chain.tokenName(CHAIN_ID, dev.contract('aicToken'))
    expect(await chain.isPayableToken(CHAIN_ID, dev.contract('aicToken'), { name: aic, version: '1' })).toBe(false)
    expect(await chain.isPayableToken(CHAIN_ID, dev.buyer.address, { name, version: '1' })).toBe(false)
  })

  it('default: balances, stake and burned amount in atomic units', async () => {
    const chain = dev.chainOver()
    const stranger = '0x000000000000000000000000000000000000dEaD'
    expect(await chain.balanceOf(CHAIN_ID, dev.stack.usdc, deployerKey().account.address)).toBe(0n)
    expect(await chain.balanceOf(CHAIN_ID, dev.stack.usdc, dev.buyer.address)).toBeGreaterThan(990_000_000n)
    expect(await chain.stakedBalance(CHAIN_ID, dev.contract('aicStaking'), stranger)).toBe(0n)
    expect(await chain.totalBurned(CHAIN_ID, dev.contract('wrappedAic'))).toBe(0n)
  })

  it('error: ChainUnavailable, never 0, if no contract answers or a chain has no RPC', async () => {
    await expect(dev.chainOver().balanceOf(CHAIN_ID, dev.buyer.address, dev.buyer.address)).rejects.toThrow(
      ChainUnavailable,
    )
    await expect(dev.chainOver().stakedBalance(CHAIN_ID, dev.stack.usdc, dev.buyer.address)).rejects.toThrow(
      ChainUnavailable,
    )
    await expect(dev.chainOver().balanceOf(1, dev.stack.usdc, dev.buyer.address)).rejects.toThrow(ChainUnavailable)
  })
})
