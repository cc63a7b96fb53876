import {
  type Abi,
  domainSeparator,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { expect, test } from 'vitest'
import { claimModuleAbi } from '../../../../contracts/abi/claim-module.ts'
import { liquidityVaultAbi } from '../../../../contracts/abi/liquidity-vault.ts'
import { presaleAbi } from '../../../../contracts/abi/presale.ts'
import { presaleVaultAbi } from '../../../../contracts/abi/presale-vault.ts'
import type { PlainRpc } from '../../../shared/chain-reads/plain-rpc.ts'
import { CLAIM_MODULE, encodeCall, PRESALE, PRESALE_VAULT, PURCHASED, readWords, USDC, wordsIn } from './calls.ts'
import { buyAic } from './pay.ts'
import { readSale, readTerms } from './read-sale.ts'
import { ERRORS, refusalName } from './refusal.ts'
import { readDomain } from './usdc-domain.ts'

const ACCOUNT: Hex = '0x00000000000000000000000000000000000000bb'
const OTHER: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const permitAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])

/** The first four bytes of each function or error of an ABI, by its name. */
const selectorsOf = (abi: Abi, kind: 'function' | 'error' = 'function'): Map<string, Hex> =>
  new Map(
    abi.flatMap((item) =>
      // The signature of an error is written like that of a function.
      (item.type === 'function' || item.type === 'error') && item.type === kind
        ? [
            [
              item.name,
              toFunctionSelector({ ...item, type: 'function', outputs: [], stateMutability: 'view' }),
            ] as const,
          ]
        : [],
    ),
  )

test.each<[string, Readonly<Record<string, Hex>>, Abi]>([
  ['presale', PRESALE, presaleAbi],
  ['claim module', CLAIM_MODULE, claimModuleAbi],
  ['presale vault', PRESALE_VAULT, presaleVaultAbi],
  ['USDC', USDC, [...erc20Abi, ...permitAbi]],
])('default: the written selectors of the %s are those of its ABI', (_name, written, abi) => {
  const all = selectorsOf(abi)
  expect(written).toEqual(Object.fromEntries(Object.keys(written).map((name) => [name, all.get(name)])))
})

test('default: the written errors are those of the ABI, and all that a buyer can meet', () => {
  const ofSale = new Map([...selectorsOf(presaleAbi, 'error'), ...selectorsOf(claimModuleAbi, 'error')])
  const all = new Map([...ofSale, ...selectorsOf(liquidityVaultAbi, 'error')])
  for (const [selector, name] of ERRORS) {
    const known = { Error: '0x08c379a0', Panic: '0x4e487b71' }[name] ?? all.get(name)
    expect(`0x${selector}`, name).toBe(known)
  }
  const ofAdmin = /AccessControl|Bad|Wrong|Underfunded|ExpectedPause|PauseUsedUp|NotCancellable|Sweep|NotEnded|Tge/
  const met = [...ofSale.keys()].filter((name) => !ofAdmin.test(name))
  expect(met.filter((name) => ![...ERRORS.values()].includes(name))).toEqual([])
})

test('default: the topic of a purchase is that of the event', () => {
  expect([PURCHASED]).toEqual(encodeEventTopics({ abi: presaleAbi, eventName: 'Purchased' }))
})

test('default: calls are encoded as by the library', () => {
  const hash: Hex = `0x${'0f'.repeat(32)}`
  const permit = [2n, 10n ** 9n, 2n ** 255n, 28, hash, hash] as const
  expect(encodeCall(PRESALE.buyWithPermit, 2n, 10n ** 9n, 2n ** 255n, 28n, hash, hash)).toBe(
    encodeFunctionData({ abi: presaleAbi, functionName: 'buyWithPermit', args: permit }),
  )
  expect(encodeCall(USDC.approve, OTHER, 5n)).toBe(
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [OTHER, 5n] }),
  )
})

test('error: an answer that is not made of whole words is not read', async () => {
  for (const answer of ['0x', '0x01', null, `0x${'g'.repeat(64)}`, {}]) {
    expect(wordsIn(answer)).toBeNull()
    await expect(readWords(async () => answer, ACCOUNT, PRESALE.raised)).rejects.toThrow('does not answer')
  }
})

test('default: what never changes is read, or null when one answer is missing', async () => {
  const routes = [
    { vault: ACCOUNT, bps: 4_000 },
    { vault: OTHER, bps: 6_000 },
  ]
  const word = (value: bigint): Hex => encodeAbiParameters([{ type: 'uint256' }], [value])
  const answers: Record<string, Hex> = {
    [CLAIM_MODULE.tgeBps]: word(1_000n),
    [CLAIM_MODULE.cliff]: word(60n),
    [CLAIM_MODULE.duration]: word(600n),
    [CLAIM_MODULE.notice]: word(72n),
    [PRESALE.vault]: encodeAbiParameters([{ type: 'address' }], [OTHER]),
    [PRESALE_VAULT.routes]: encodeFunctionResult({ abi: presaleVaultAbi, functionName: 'routes', result: routes }),
  }
  const rpc: PlainRpc = async (_method, [call]) => answers[Object(call).data]
  const phase = { phaseId: 1, rpcUrl: '', explorer: null, chainId: 1 }
  const addresses = { token: ACCOUNT, presale: ACCOUNT, claimModule: ACCOUNT, usdc: ACCOUNT }
  expect(await readTerms(rpc, { ...phase, ...addresses })).toEqual({
    ...{ tgeBps: 1_000, cliff: 60, duration: 600, notice: 72, presaleVault: OTHER.toLowerCase() },
    routes: routes.map(({ vault, bps }) => ({ vault: vault.toLowerCase(), bps })),
  })
  delete answers[PRESALE_VAULT.routes]
  expect(await readTerms(rpc, { ...phase, ...addresses })).toBeNull()
})

/** A wallet whose node has a token with this name, which signs in the domain of `signed`. */
function tokenOf(name: string, signed: string) {
  const domain = (of: string) => ({ name: of, version: '2', chainId: 8453, verifyingContract: OTHER })
  const answers: Record<string, Hex> = {
    [USDC.name]: encodeFunctionResult({ abi: permitAbi, functionName: 'name', result: name }),
    [USDC.version]: encodeFunctionResult({ abi: permitAbi, functionName: 'version', result: '2' }),
    [USDC.DOMAIN_SEPARATOR]: domainSeparator({ domain: domain(signed) }),
    [USDC.nonces]: encodeFunctionResult({ abi: permitAbi, functionName: 'nonces', result: 7n }),
  }
  const request = async ({ params }: { params?: unknown }) =>
    answers[String(Object(Array.isArray(params) ? params[0] : null).data).slice(0, 10)]
  return readDomain({ request }, { usdc: OTHER, chainId: 8453 }, ACCOUNT)
}

test('default: the domain of permits is the one whose separator the token answers', async () => {
  for (const name of ['USD Coin', 'Münze '.repeat(9)]) {
    expect(await tokenOf(name, name)).toEqual({
      domain: { name, version: '2', chainId: 8453, verifyingContract: OTHER },
      nonce: 7n,
    })
  }
  expect(await tokenOf('USD Coin', 'USDC')).toBeNull()
})

const addresses = { token: ACCOUNT, presale: ACCOUNT, claimModule: ACCOUNT, usdc: OTHER }
const config = { phaseId: 1, rpcUrl: '', explorer: null, chainId: 1, ...addresses }

test('error: a node that does not answer is one error, and leaves no call without a reader', async () => {
  const unread: unknown[] = []
  const note = (reason: unknown): void => void unread.push(reason)
  process.on('unhandledRejection', note)
  await expect(readSale(() => Promise.reject(new Error('down')), config)).rejects.toThrow('down')
  await new Promise(setImmediate)
  process.off('unhandledRejection', note)
  expect(unread).toEqual([])
})

test('error: nothing is signed when the wallet’s node has another price than the page', async () => {
  const asked: string[] = []
  const request = async ({ method }: { method: string }) => {
    asked.push(method)
    return method === 'eth_chainId' ? '0x1' : encodeAbiParameters([{ type: 'uint256' }], [50n])
  }
  const call = { provider: { request }, address: ACCOUNT, config, onStep: () => undefined }
  expect(await buyAic(call, { phaseId: 1, usdc: 1n, aic: 500n })).toEqual({ at: 'other_price', hash: null })
  expect(asked).toEqual(['eth_chainId', 'eth_call'])
})

test('error: PhaseSoldOut: nothing is signed when the sale refuses the purchase', async () => {
  const asked: string[] = []
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    asked.push(method)
    if (method === 'eth_chainId') return '0x1'
    const data = String(Object(Array.isArray(params) ? params[0] : null).data)
    if (!data.startsWith(PRESALE.buy)) {
      return encodeAbiParameters([{ type: 'uint256' }], [data.startsWith(PRESALE.quote) ? 500n : 0n])
    }
    const refusal = encodeErrorResult({ abi: presaleAbi, errorName: 'PhaseSoldOut', args: [1n, 5n] })
    throw Object.assign(new Error('execution reverted'), { code: 3, data: refusal })
  }
  const call = { provider: { request }, address: ACCOUNT, config, onStep: () => undefined }
  const error = await buyAic(call, { phaseId: 1, usdc: 1n, aic: 500n }).catch((thrown: unknown) => thrown)
  expect(refusalName(error)).toBe('PhaseSoldOut')
  expect(new Set(asked)).toEqual(new Set(['eth_chainId', 'eth_call']))
})
