import {
  decodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  hexToNumber,
  isHex,
  recoverTypedDataAddress,
  slice,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it, vi } from 'vitest'
import * as z from 'zod'
import { aicStakingAbi } from '../../../../contracts/abi/aic-staking.ts'
import { aicTokenAbi } from '../../../../contracts/abi/aic-token.ts'
import { wrappedAicAbi } from '../../../../contracts/abi/wrapped-aic.ts'
import { type AicAction, moveAic } from './move-aic.ts'

const OWNER = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const address = (digit: string): Hex => `0x${digit.repeat(40)}`
const CONTRACTS = { staking: address('1'), token: address('2'), wrapped: address('3') }
const CHAIN = 8453
const ABI = [...aicStakingAbi, ...wrappedAicAbi]
const ZERO_SIGNATURE: Hex = `0x${'00'.repeat(65)}`

const callSchema = z.object({ to: z.custom<Hex>(isHex), data: z.custom<Hex>(isHex) })
const batchSchema = z.object({
  version: z.literal('2.0.0'),
  from: z.literal(OWNER.address),
  chainId: z.literal(`0x${CHAIN.toString(16)}`),
  atomicRequired: z.literal(true),
  calls: z.array(callSchema),
})
const documentSchema = z.object({
  domain: z.object({
    name: z.string(),
    version: z.string(),
    chainId: z.number(),
    verifyingContract: z.custom<Hex>(isHex),
  }),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: z.record(z.string(), z.string()),
})
type Document = z.infer<typeof documentSchema>

interface Behavior {
  allowance?: bigint
  sign?: () => unknown
  /** The chain that the token's domain names. Null if the token has no domain. An error is thrown by the node. */
  domainChain?: number | null | Error
  refusesPermit?: boolean
  /** The value of `atomic` in `wallet_getCapabilities`. Undefined if the wallet does not know the method. */
  atomic?: string
  /** The answer to `wallet_sendCalls`. */
  batch?: () => unknown
  /** The answer to `wallet_getCallsStatus`. */
  batchStatus?: unknown
  /** Reads of the balance after the first until it shows what was moved. */
  blocksBehind?: number
}

/** A wallet and a node. `sent` has the name of each function that was sent, and `documents` what was signed. */
function walletOf({
  allowance = 0n,
  sign,
  domainChain = CHAIN,
  refusesPermit = false,
  atomic,
  batch,
  batchStatus,
  blocksBehind = 0,
}: Behavior) {
  let balances = 0
  const [sent, documents, steps]: [string[], Document[], string[]] = [[], [], []]
  const nameOf = ({ to, data }: z.infer<typeof callSchema>): string =>
    decodeFunctionData({ abi: to === CONTRACTS.token ? [...aicTokenAbi, ...erc20Abi] : ABI, data }).functionName
  const read = (name: string): Hex => {
    if (name === 'allowance')
      return encodeFunctionResult({ abi: erc20Abi, functionName: 'allowance', result: allowance })
    if (name === 'balanceOf') {
      balances += 1
      return toHex(balances > 1 + blocksBehind ? 3n : 10n, { size: 32 })
    }
    if (name === 'nonces') return encodeFunctionResult({ abi: aicTokenAbi, functionName: 'nonces', result: 5n })
    if (name !== 'eip712Domain') {
      if (refusesPermit) throw new Error('execution reverted')
      return '0x'
    }
    if (domainChain === null) return '0x'
    if (domainChain instanceof Error) throw domainChain
    const result = ['0x0f', 'AIC', '1', BigInt(domainChain), CONTRACTS.token, `0x${'0'.repeat(64)}`, []] as const
    return encodeFunctionResult({ abi: aicTokenAbi, functionName: 'eip712Domain', result })
  }
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    const [first, second]: unknown[] = Array.isArray(params) ? params : []
    if (method === 'eth_chainId') return `0x${CHAIN.toString(16)}`
    if (method === 'eth_call') return read(nameOf(callSchema.parse(first)))
    if (method === 'wallet_getCapabilities' && atomic !== undefined)
      return { [`0x${CHAIN.toString(16)}`]: { atomic: { status: atomic } } }
    if (method === 'wallet_sendCalls') {
      const answer = batch?.() ?? { id: '0xb1' }
      for (const { calls } of [batchSchema.parse(first)]) sent.push(`batch of ${calls.map(nameOf).join(' and ')}`)
      return answer
    }
    if (method === 'wallet_getCallsStatus') return batchStatus ?? { status: 200, receipts: [{ status: '0x1' }] }
    if (method === 'eth_getTransactionReceipt') return { status: '0x1' }
    if (method === 'eth_sendTransaction') return sent.push(nameOf(callSchema.parse(first)))
    if (method !== 'eth_signTypedData_v4') throw new Error(`not expected: ${method}`)
    documents.push(documentSchema.parse(JSON.parse(String(second))))
    return sign === undefined ? ZERO_SIGNATURE : sign()
  }
  const call = { provider: { request }, address: OWNER.address, chainId: CHAIN, contracts: CONTRACTS }
  const move = (action: AicAction) => moveAic({ ...call, onStep: (step) => void steps.push(step) }, action, 7n)
  return { move, sent, documents, steps }
}

const fail = (error: unknown) => () => {
  throw error
}

it.each<[string, AicAction, Behavior, string[], string[]]>([
  [
    'default: a stake takes one permit and one transaction',
    'stake',
    {},
    ['stakeWithPermit'],
    ['permit', 'send', 'wait'],
  ],
  [
    'default: a wrap takes one permit and one transaction',
    'wrap',
    {},
    ['depositWithPermit'],
    ['permit', 'send', 'wait'],
  ],
  ['behavior: enough allowance needs no permit', 'stake', { allowance: 7n }, ['stake'], ['send', 'wait']],
  ['default: an unstake needs no permit', 'unstake', {}, ['unstake'], ['send', 'wait']],
  ['default: a withdrawal needs no permit', 'withdraw', {}, ['withdraw'], ['send', 'wait']],
  ['default: an unwrap needs no permit', 'unwrap', {}, ['withdrawTo'], ['send', 'wait']],
])('%s', async (_, action, behavior, sent, steps) => {
  const wallet = walletOf(behavior)
  expect(await wallet.move(action)).toBe('done')
  expect({ sent: wallet.sent, steps: wallet.steps }).toEqual({ sent, steps })
})

it.each<[string, Behavior]>([
  ['a wallet without typed data', { sign: fail({ code: 4200, message: 'Unsupported method' }) }],
  ['a wallet that signs nothing', { sign: () => null }],
  ["a contract's wallet with a longer signature", { sign: () => `0x${'00'.repeat(130)}` }],
  ['a permit that the contract refuses', { refusesPermit: true }],
  ['a token without a domain', { domainChain: null }],
  ['a token that refuses to name its domain', { domainChain: new Error('execution reverted') }],
  ['a token whose domain is of another chain', { domainChain: 1 }],
])('behavior: %s is followed by an approval', async (_, behavior) => {
  const wallet = walletOf(behavior)
  expect(await wallet.move('stake')).toBe('done')
  expect(wallet.sent).toEqual(['approve', 'stake'])
})

it.each<[string, unknown]>([
  ['rejected', { code: 4001, message: 'User rejected the request' }],
  ['pending', { code: -32002, message: 'Already processing' }],
])('error: a permit that is %s in the wallet is followed by no transaction', async (_, error) => {
  const wallet = walletOf({ sign: fail(error) })
  await expect(wallet.move('stake')).rejects.toBe(error)
  expect(wallet.sent).toEqual([])
})

it('error: a node that does not answer is not taken for a token without permits', async () => {
  const wallet = walletOf({ domainChain: new Error('Failed to fetch') })
  await expect(wallet.move('stake')).rejects.toThrow('Failed to fetch')
  expect(wallet.sent).toEqual([])
})

it('default: the permit of one hour names owner, spender, amount and nonce', async () => {
  const wallet = walletOf({})
  await wallet.move('stake')
  const [document] = wallet.documents
  if (document === undefined) throw new Error('no document')
  expect(document.domain).toEqual({ name: 'AIC', version: '1', chainId: CHAIN, verifyingContract: CONTRACTS.token })
  const { deadline, ...terms } = document.message
  expect(terms).toEqual({ owner: OWNER.address, spender: CONTRACTS.staking, value: '7', nonce: '5' })
  expect(Math.abs(Number(deadline) - Date.now() / 1000 - 3600)).toBeLessThan(60)
  const signature = await OWNER.signTypedData(document)
  expect(hexToNumber(slice(signature, 64))).toBeGreaterThanOrEqual(27)
  expect(await recoverTypedDataAddress({ ...document, signature })).toBe(OWNER.address)
})

it('default: a wallet that sends batches approves and stakes with one confirmation', async () => {
  const wallet = walletOf({ atomic: 'supported' })
  expect(await wallet.move('stake')).toBe('done')
  expect(wallet.sent).toEqual(['batch of approve and stake'])
  expect(wallet.documents).toEqual([])
})

it.each<[string, Behavior]>([
  ['would first change the account', { atomic: 'ready' }],
  ['knows no batch, though it says so', { atomic: 'supported', batch: fail({ code: -32601, message: 'no method' }) }],
  ['rejects the change of the account', { atomic: 'supported', batch: fail({ code: 5750, message: 'User rejected' }) }],
])('behavior: a wallet that %s signs a permit', async (_, behavior) => {
  const wallet = walletOf(behavior)
  expect(await wallet.move('stake')).toBe('done')
  expect(wallet.sent).toEqual(['stakeWithPermit'])
})

it.each([
  ['reverted', { status: 500, receipts: [{ status: '0x0' }] }],
  ['done in part', { status: 600, receipts: [{ status: '0x1' }] }],
  ['done with a failed receipt', { status: 200, receipts: [{ status: '0x1' }, { status: '0x0' }] }],
])('error: a batch that the wallet calls %s is not done', async (_, batchStatus) => {
  expect(await walletOf({ atomic: 'supported', batchStatus }).move('stake')).toBe('reverted')
})

const NO_RECEIPTS = [{ status: 200 }, { status: 200, receipts: [] }, { status: 200, receipts: [{}] }]

it.each(NO_RECEIPTS)(
  'behavior: of a batch without receipts (%j) the chain says that it is done',
  async (batchStatus) => {
    expect(await walletOf({ atomic: 'supported', batchStatus }).move('stake')).toBe('done')
  },
)

it('error: a batch that neither receipts nor the chain show is called unseen, not failed', async () => {
  vi.useFakeTimers()
  const behind = (blocksBehind: number) =>
    walletOf({ atomic: 'supported', batchStatus: { status: 200 }, blocksBehind }).move('stake')
  const ends = Promise.all([behind(5), behind(1e9)])
  await vi.runAllTimersAsync()
  expect(await ends).toEqual(['done', 'unseen'])
})

it.each<[string, unknown]>([
  ['rejected', { code: 4001, message: 'User rejected the request' }],
  ['failed', { code: -32603, message: 'boom' }],
])('error: a batch that is %s in the wallet is followed by nothing', async (_, error) => {
  const wallet = walletOf({ atomic: 'supported', batch: fail(error) })
  await expect(wallet.move('stake')).rejects.toBe(error)
  expect(wallet.sent).toEqual([])
  expect(wallet.documents).toEqual([])
})
