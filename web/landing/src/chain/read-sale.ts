import { type Address, encodeFunctionData, erc20Abi, getAddress, type Hex, isHex, numberToHex } from 'viem'
import { claimModuleAbi } from '../../../../contracts/abi/claim-module.ts'
import { presaleAbi } from '../../../../contracts/abi/presale.ts'
import { presaleVaultAbi } from '../../../../contracts/abi/presale-vault.ts'
import type { PlainRpc } from '../../../chain-reads/plain-rpc.ts'
import { type Phase, SALE_STATES } from '../../../chain-reads/sale.ts'
import type { SaleConfig } from '../config.ts'
import type { Own, Sale } from '../model/sale.ts'

/** What never changes: how AIC becomes free, and where the USDC goes. */
export interface Terms {
  tgeBps: number
  /** Seconds. */
  cliff: number
  duration: number
  presaleVault: Address
  /** In the order liquidity, dev, team, marketing. */
  routes: readonly { vault: Address; bps: number }[]
}

const WORD_DIGITS = 64

/** The 32-byte words of a contract's answer. Every answer that is read here consists of numbers and addresses alone. */
async function words(rpc: PlainRpc, to: Address, data: Hex): Promise<bigint[]> {
  const answer = await rpc('eth_call', [{ to, data }, 'latest'])
  const digits = isHex(answer) ? answer.slice(2) : ''
  if (digits.length === 0 || digits.length % WORD_DIGITS !== 0)
    throw new Error(`${to} does not answer as the contract does`)
  return Array.from({ length: digits.length / WORD_DIGITS }, (_, index) =>
    BigInt(`0x${digits.slice(index * WORD_DIGITS, (index + 1) * WORD_DIGITS)}`),
  )
}

const one = async (rpc: PlainRpc, to: Address, data: Hex): Promise<bigint> => (await words(rpc, to, data))[0] ?? 0n
const addressIn = (word: bigint): Address => getAddress(numberToHex(word, { size: 20 }))

const SALE_NUMBERS = [
  ...(['state', 'raised', 'totalSold', 'softCap', 'minPurchase'] as const),
  ...(['pausedUntil', 'leavingUntil', 'lastPurchaseBlock', 'phaseCount'] as const),
] as const

export interface SaleReading {
  sale: Sale
  /** Unix seconds; 0 while it is not known. */
  tge: number
  /** 0 before the first purchase. */
  lastPurchaseBlock: bigint
}

/** Reads the sale. Throws what the node answers. */
export async function readSale(rpc: PlainRpc, { presale, claimModule }: SaleConfig): Promise<SaleReading> {
  const numbers = SALE_NUMBERS.map((functionName) =>
    one(rpc, presale, encodeFunctionData({ abi: presaleAbi, functionName })),
  )
  const tge = one(rpc, claimModule, encodeFunctionData({ abi: claimModuleAbi, functionName: 'tge' }))
  const [state = 0n, raised = 0n, sold = 0n, softCap = 0n, minPurchase = 0n, ...rest] = await Promise.all(numbers)
  const [until = 0n, leavingUntil = 0n, lastPurchaseBlock = 0n, count = 0n] = rest
  const ids = Array.from({ length: Number(count) }, (_, index) => index + 1)
  const phases = await Promise.all(ids.map((id) => readPhase(rpc, presale, id)))
  const sale = {
    ...{ state: SALE_STATES[Number(state)] ?? 'waiting', raised, sold, softCap, minPurchase, phases },
    ...{ pausedUntil: Number(until), leavingUntil: Number(leavingUntil) },
  }
  return { sale, tge: Number(await tge), lastPurchaseBlock }
}

async function readPhase(rpc: PlainRpc, presale: Address, id: number): Promise<Phase> {
  const args = [BigInt(id)] as const
  const [phase, soldAic] = await Promise.all([
    words(rpc, presale, encodeFunctionData({ abi: presaleAbi, functionName: 'phase', args })),
    one(rpc, presale, encodeFunctionData({ abi: presaleAbi, functionName: 'soldIn', args })),
  ])
  const [start = 0n, end = 0n, price = 1n, cap = 0n, walletCap = 0n] = phase
  return { id, start: Number(start), end: Number(end), price, cap, walletCap, soldAic }
}

/** Reads what a wallet holds, bought and can claim. Throws what the node answers. */
export async function readOwn(
  rpc: PlainRpc,
  config: SaleConfig,
  owner: Address,
  phases: readonly Phase[],
): Promise<Own> {
  const { presale, claimModule, usdc } = config
  const args = [owner] as const
  const [balance, bought, claims, positions] = await Promise.all([
    one(rpc, usdc, encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })),
    words(rpc, presale, encodeFunctionData({ abi: presaleAbi, functionName: 'bought', args })),
    words(rpc, claimModule, encodeFunctionData({ abi: claimModuleAbi, functionName: 'claimable', args })),
    Promise.all(phases.map(({ id }) => words(rpc, presale, positionCall(owner, id)))),
  ])
  const [boughtAic = 0n, boughtUsdc = 0n] = bought
  const [total = 0n, vested = 0n, claimed = 0n] = claims
  const spentIn = positions.map(([, spent = 0n]) => spent)
  return { usdc: balance, boughtAic, boughtUsdc, spentIn, total, vested, claimed }
}

const positionCall = (owner: Address, id: number): Hex =>
  encodeFunctionData({ abi: presaleAbi, functionName: 'positionIn', args: [owner, BigInt(id)] })

/** Reads what never changes. Throws what the node answers. */
export async function readTerms(rpc: PlainRpc, { presale, claimModule }: SaleConfig): Promise<Terms> {
  const ofModule = (functionName: 'tgeBps' | 'cliff' | 'duration'): Promise<bigint> =>
    one(rpc, claimModule, encodeFunctionData({ abi: claimModuleAbi, functionName }))
  const [tgeBps, cliff, duration, vault] = await Promise.all([
    ofModule('tgeBps'),
    ofModule('cliff'),
    ofModule('duration'),
    one(rpc, presale, encodeFunctionData({ abi: presaleAbi, functionName: 'vault' })),
  ])
  const presaleVault = addressIn(vault)
  // A list: its place, its length, then address and share of each route.
  const [, count = 0n, ...routes] = await words(
    rpc,
    presaleVault,
    encodeFunctionData({ abi: presaleVaultAbi, functionName: 'routes' }),
  )
  return {
    ...{ tgeBps: Number(tgeBps), cliff: Number(cliff), duration: Number(duration), presaleVault },
    routes: Array.from({ length: Number(count) }, (_, index) => ({
      vault: addressIn(routes[index * 2] ?? 0n),
      bps: Number(routes[index * 2 + 1] ?? 0n),
    })),
  }
}
