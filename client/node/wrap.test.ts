import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, encodeFunctionData, erc20Abi, http, parseUnits, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { getTransactionCount, readContract } from 'viem/actions'
import { expect, it } from 'vitest'
import { runCommand } from '../../test/helpers/command-line.ts'
import { CHAIN_ID, useDevChain } from '../../test/helpers/dev-chain.ts'
import { ConnectionError } from '../src/problem.ts'
import { WrapError, type WrapFault } from './errors.ts'
import { type Wrap, wrapAic } from './wrap.ts'

const dev = useDevChain(2)
const abi = erc20Abi
const AIC = parseUnits('1', 18)
const holder = () => privateKeyToAccount(dev.stack.buyers[1]?.privateKey ?? '0x')

const wrapOf = (changed: Partial<Wrap> = {}): Wrap => ({
  rpcUrl: dev.stack.url,
  account: holder(),
  wrapped: dev.contract('wrappedAic'),
  amount: 2n * AIC,
  undo: false,
  chainId: CHAIN_ID,
  ...changed,
})

/** The holder's AIC, wrapped AIC, allowance of the wrapper, and mined transactions. */
async function figures() {
  const client = createClient({ transport: http(dev.stack.url) })
  const { address } = holder()
  const [token, wrapper] = [dev.contract('aicToken'), dev.contract('wrappedAic')]
  const [plain, wrapped, allowance, sent] = await Promise.all([
    readContract(client, { address: token, abi, functionName: 'balanceOf', args: [address] }),
    readContract(client, { address: wrapper, abi, functionName: 'balanceOf', args: [address] }),
    readContract(client, { address: token, abi, functionName: 'allowance', args: [address, wrapper] }),
    getTransactionCount(client, { address }),
  ])
  return { plain, wrapped, allowance, sent }
}

/** Sends a transaction of the holder beside the command's. */
async function sendAsHolder(data: `0x${string}`): Promise<void> {
  const { address: from } = holder()
  await dev.rpc.call('anvil_impersonateAccount', from)
  await dev.rpc.transact([{ from, to: dev.contract('aicToken'), data }])
  await dev.rpc.call('anvil_stopImpersonatingAccount', from)
}

/** A `fetch` whose call that sends the transaction is made by `handle`. */
const onSending =
  (handle: (pass: () => Promise<Response>) => Promise<Response>): NonNullable<Wrap['fetch']> =>
  (input, init) => {
    const pass = () => fetch(input, init)
    return String(init?.body).includes('eth_sendRawTransaction') ? handle(pass) : pass()
  }

const refusal = (message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: 0, error: { code: -32000, message } })

it('default: AIC is wrapped with one permit in one transaction, and unwrapped again', async () => {
  const before = await figures()
  const hashes: string[] = []
  const { transaction, network } = await wrapAic(wrapOf({ onSend: (hash) => hashes.push(hash) }))
  expect([network, hashes]).toEqual([`eip155:${CHAIN_ID}`, [transaction]])
  expect(await figures()).toEqual({
    plain: before.plain - 2n * AIC,
    wrapped: before.wrapped + 2n * AIC,
    allowance: 0n,
    sent: before.sent + 1,
  })
  await wrapAic(wrapOf({ undo: true }))
  expect(await figures()).toEqual({ ...before, sent: before.sent + 2 })
})

it('behavior: with an allowance nothing is signed but the transaction', async () => {
  const args = [dev.contract('wrappedAic'), 2n * AIC] as const
  await sendAsHolder(encodeFunctionData({ abi, functionName: 'approve', args }))
  const before = await figures()
  const signTypedData = () => Promise.reject(new Error('signed'))
  await wrapAic(wrapOf({ account: { ...holder(), signTypedData } }))
  expect(await figures()).toMatchObject({ wrapped: before.wrapped + 2n * AIC, allowance: 0n })
})

it.each<[string, () => Response]>([
  [
    'lost',
    () => {
      throw new TypeError('fetch failed')
    },
  ],
  ['"already known"', () => refusal('already known')],
])('behavior: an answer to the sending that is %s does not send it twice', async (_, answer) => {
  const before = await figures()
  const sending = onSending(async (pass) => {
    await pass()
    return answer()
  })
  await wrapAic(wrapOf({ fetch: sending }))
  expect(await figures()).toMatchObject({ wrapped: before.wrapped + 2n * AIC, sent: before.sent + 1 })
})

it.each<[string, WrapFault, () => Partial<Wrap>, string]>([
  ['more AIC than the wallet has', 'too_little', () => ({ amount: 9_999n * AIC }), 'AIC on Local chain, and 9999 are'],
  ['more wrapped AIC than it has', 'too_little', () => ({ amount: 9_999n * AIC, undo: true }), 'wrapped AIC on'],
  ['another chain', 'wrong_chain', () => ({ chainId: 8453 }), 'is a node of Local chain, not Base'],
  ['a chain that is not known', 'wrong_chain', () => ({ chainId: undefined }), 'give --chain-id'],
  ['an address without code', 'no_wrapper', () => ({ wrapped: zeroAddress }), 'There is no wrapped AIC at 0x0000'],
  ['another token', 'no_wrapper', () => ({ wrapped: dev.stack.usdc }), 'There is no wrapped AIC at'],
  [
    'a node that refuses the transaction',
    'refused',
    () => ({ fetch: onSending(async () => refusal('insufficient funds')) }),
    'The node refuses',
  ],
])('error: with %s nothing is sent', async (_, fault, changed, words) => {
  const before = await figures()
  const error = await wrapAic(wrapOf(changed())).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(WrapError)
  expect(error).toMatchObject({ fault, transaction: undefined, message: expect.stringContaining(words) })
  expect(error).toMatchObject({ message: expect.stringMatching(/Nothing was sent\.$/) })
  expect(await figures()).toEqual(before)
})

it('error: without ether for the fee nothing is sent', async () => {
  const before = await figures()
  const { address } = holder()
  const ether = await dev.rpc.call('eth_getBalance', address, 'latest')
  await dev.rpc.call('anvil_setBalance', address, '0x1')
  const wrapping = wrapAic(wrapOf())
  await expect(wrapping).rejects.toMatchObject({ fault: 'no_gas', message: expect.stringContaining('network fee') })
  await dev.rpc.call('anvil_setBalance', address, ether)
  expect(await figures()).toEqual(before)
})

it('error: a node that does not answer is a ConnectionError', async () => {
  const silent = () => Promise.reject(new TypeError('fetch failed'))
  await expect(wrapAic(wrapOf({ fetch: silent }))).rejects.toThrow(ConnectionError)
})

it('error: a transaction that fails on the chain names its hash and costs the fee only', async () => {
  const before = await figures()
  const wrapper = dev.contract('wrappedAic')
  const code = await dev.rpc.call('eth_getCode', wrapper, 'latest')
  const broken = onSending(async (pass) => {
    await dev.rpc.call('anvil_setCode', wrapper, '0xfe')
    return pass()
  })
  const error = await wrapAic(wrapOf({ fetch: broken })).catch((thrown: unknown) => thrown)
  await dev.rpc.call('anvil_setCode', wrapper, code)
  expect(error).toMatchObject({ fault: 'reverted', transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  expect(await figures()).toEqual({ ...before, sent: before.sent + 1 })
})

it('error: a transaction that is not seen in time says to look for it first', async () => {
  const swallowed = onSending(async () => {
    throw new TypeError('fetch failed')
  })
  const error = await wrapAic(wrapOf({ fetch: swallowed, waitMs: 50 })).catch((thrown: unknown) => thrown)
  const message = expect.stringContaining('Look for it before you try again')
  expect(error).toMatchObject({ fault: 'unmined', transaction: expect.stringMatching(/^0x/), message })
})

it('error: another transaction with its nonce is not taken for it', async () => {
  const replaced = onSending(async () => {
    await sendAsHolder(encodeFunctionData({ abi, functionName: 'approve', args: [dev.contract('wrappedAic'), 0n] }))
    throw new TypeError('fetch failed')
  })
  await expect(wrapAic(wrapOf({ fetch: replaced }))).rejects.toMatchObject({ fault: 'replaced' })
})

it('default: `coinslot wrap` prints its hash, and its exit code says what was wrong', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coinslot-wrap-'))
  const env = {
    PATH: process.env['PATH'],
    XDG_STATE_HOME: folder,
    COINSLOT_ORIGIN: 'http://127.0.0.1:9',
    COINSLOT_CHAIN_ID: String(CHAIN_ID),
    COINSLOT_PRIVATE_KEY: dev.stack.buyers[1]?.privateKey,
  }
  const chain = ['--rpc', dev.stack.url, '--aic-token', dev.contract('wrappedAic')]
  const before = await figures()
  const [done, short, zero] = [
    await runCommand(['wrap', '1.5', ...chain], env),
    await runCommand(['wrap', '9999', '--json', ...chain], env),
    await runCommand(['wrap', '0', ...chain], env),
  ]
  await rm(folder, { recursive: true })
  expect([done.code, done.stdout]).toEqual([0, expect.stringMatching(/^0x[0-9a-f]{64}\n$/)])
  expect(await figures()).toMatchObject({ wrapped: before.wrapped + (3n * AIC) / 2n, sent: before.sent + 1 })
  expect([short.code, JSON.parse(short.stderr).error]).toMatchObject([4, { name: 'WrapError', fault: 'too_little' }])
  expect([zero.code, zero.stderr]).toEqual([2, expect.stringContaining('give an amount of AIC above 0')])
})
