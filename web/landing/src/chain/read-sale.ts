import type { Address } from 'viem'
import type { PlainRpc } from '../../../shared/chain-reads/plain-rpc.ts'
import { type Phase, SALE_STATES } from '../../../shared/chain-reads/sale.ts'
import type { SaleConfig } from '../config.ts'
import type { Own, Sale } from '../model/sale.ts'
import { addressIn, CLAIM_MODULE, PRESALE, PRESALE_VAULT, readWord, readWords, USDC } from './calls.ts'

/** The constants of a sale: how AIC becomes free, and where the USDC goes. */
export interface Terms {
  tgeBps: number
  /** Seconds. */
  cliff: number
  duration: number
  /** Seconds ahead of which the team announces what it changes. */
  notice: number
  presaleVault: Address
  /** In the order liquidity, dev, team, marketing. */
  routes: readonly { vault: Address; bps: number }[]
}

export interface SaleReading {
  sale: Sale
  /** Unix seconds; 0 while it is not known. */
  tge: number
  /** When the last pause of claims ends or ended, Unix seconds. */
  claimsPausedUntil: number
  /** 0 before the first purchase. */
  lastPurchaseBlock: bigint
}

/** Reads the sale. Throws what the node answers. */
export async function readSale(rpc: PlainRpc, { presale, claimModule }: SaleConfig): Promise<SaleReading> {
  const number = (name: keyof typeof PRESALE): Promise<bigint> => readWord(rpc, presale, PRESALE[name])
  const [
    tge,
    claimsPausedUntil,
    state,
    raised,
    sold,
    softCap,
    minPurchase,
    until,
    coolingOff,
    lastPurchaseBlock,
    count,
  ] = await Promise.all([
    readWord(rpc, claimModule, CLAIM_MODULE.tge),
    readWord(rpc, claimModule, CLAIM_MODULE.pausedUntil),
    number('state'),
    number('raised'),
    number('totalSold'),
    number('softCap'),
    number('minPurchase'),
    number('pausedUntil'),
    number('coolingOff'),
    number('lastPurchaseBlock'),
    number('phaseCount'),
  ])
  const ids = Array.from({ length: Number(count) }, (_, index) => index + 1)
  const phases = await Promise.all(ids.map((id) => readPhase(rpc, presale, id)))
  const sale = {
    ...{ state: SALE_STATES[Number(state)] ?? 'waiting', raised, sold, softCap, minPurchase, phases },
    ...{ pausedUntil: Number(until), coolingOff: Number(coolingOff) },
  }
  return { sale, tge: Number(tge), claimsPausedUntil: Number(claimsPausedUntil), lastPurchaseBlock }
}

async function readPhase(rpc: PlainRpc, presale: Address, id: number): Promise<Phase> {
  const [phase, [soldAic = 0n]] = await Promise.all([
    readWords(rpc, presale, PRESALE.phase, BigInt(id)),
    readWords(rpc, presale, PRESALE.soldIn, BigInt(id)),
  ])
  const [start = 0n, end = 0n, price = 1n, cap = 0n, walletCap = 0n] = phase
  return { id, start: Number(start), end: Number(end), price, cap, walletCap, soldAic }
}

/** Reads what a wallet holds, bought and can claim. Throws what the node answers. */
export async function readOwn(
  rpc: PlainRpc,
  { presale, claimModule, usdc }: SaleConfig,
  owner: Address,
  phases: readonly Phase[],
): Promise<Own> {
  const [[balance = 0n], bought, claims, positions] = await Promise.all([
    readWords(rpc, usdc, USDC.balanceOf, owner),
    readWords(rpc, presale, PRESALE.bought, owner),
    readWords(rpc, claimModule, CLAIM_MODULE.claimable, owner),
    Promise.all(phases.map(({ id }) => readWords(rpc, presale, PRESALE.positionIn, owner, BigInt(id)))),
  ])
  const [boughtAic = 0n, boughtUsdc = 0n] = bought
  const [total = 0n, vested = 0n, claimed = 0n] = claims
  const spentIn = positions.map(([, spent = 0n]) => spent)
  return { usdc: balance, boughtAic, boughtUsdc, spentIn, total, vested, claimed }
}

/** Reads what never changes. Null when the node answers with an error: the sale can be shown without it. */
export async function readTerms(rpc: PlainRpc, config: SaleConfig): Promise<Terms | null> {
  try {
    return await askTerms(rpc, config)
  } catch (error) {
    console.warn('presale: the terms could not be read', error)
    return null
  }
}

async function askTerms(rpc: PlainRpc, { presale, claimModule }: SaleConfig): Promise<Terms> {
  const [tgeBps, cliff, duration, notice, vault] = await Promise.all([
    readWord(rpc, claimModule, CLAIM_MODULE.tgeBps),
    readWord(rpc, claimModule, CLAIM_MODULE.cliff),
    readWord(rpc, claimModule, CLAIM_MODULE.duration),
    readWord(rpc, claimModule, CLAIM_MODULE.notice),
    readWord(rpc, presale, PRESALE.vault),
  ])
  const presaleVault = addressIn(vault)
  // A list: its place, its length, then address and share of each route.
  const [, count = 0n, ...routes] = await readWords(rpc, presaleVault, PRESALE_VAULT.routes)
  return {
    ...{ tgeBps: Number(tgeBps), cliff: Number(cliff), duration: Number(duration) },
    ...{ notice: Number(notice), presaleVault },
    routes: Array.from({ length: Number(count) }, (_, index) => ({
      vault: addressIn(routes[index * 2] ?? 0n),
      bps: Number(routes[index * 2 + 1] ?? 0n),
    })),
  }
}
