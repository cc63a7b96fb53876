import { type Address, type Client, erc20Abi, type Transport } from 'viem'
import { readContract } from 'viem/actions'
import { claimModuleAbi } from '../../../../contracts/abi/claim-module.ts'
import { presaleAbi } from '../../../../contracts/abi/presale.ts'
import { presaleVaultAbi } from '../../../../contracts/abi/presale-vault.ts'
import type { SaleConfig } from '../config.ts'
import { type Own, type Phase, SALE_STATES, type Sale } from '../model/sale.ts'

export type ReadClient = Client<Transport>

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

/** Reads the sale, and one wallet's part in it. viem makes one call of the reads. */
export async function readSale(client: ReadClient, config: SaleConfig): Promise<{ sale: Sale; tge: number; lastPurchaseBlock: bigint }> {
  const presale = { address: config.presale, abi: presaleAbi } as const
  const count = await readContract(client, { ...presale, functionName: 'phaseCount' })
  const ids = Array.from({ length: Number(count) }, (_, index) => BigInt(index + 1))
  const [state, raised, sold, softCap, minPurchase, until, leavingUntil, lastPurchaseBlock, tge, phases] = await Promise.all([
    readContract(client, { ...presale, functionName: 'state' }),
    readContract(client, { ...presale, functionName: 'raised' }),
    readContract(client, { ...presale, functionName: 'totalSold' }),
    readContract(client, { ...presale, functionName: 'softCap' }),
    readContract(client, { ...presale, functionName: 'minPurchase' }),
    readContract(client, { ...presale, functionName: 'pausedUntil' }),
    readContract(client, { ...presale, functionName: 'leavingUntil' }),
    readContract(client, { ...presale, functionName: 'lastPurchaseBlock' }),
    readContract(client, { address: config.claimModule, abi: claimModuleAbi, functionName: 'tge' }),
    Promise.all(ids.map((id) => readPhase(client, config.presale, id))),
  ])
  const sale = {
    ...{ state: SALE_STATES[state] ?? 'waiting', raised, sold, softCap, minPurchase, phases },
    ...{ pausedUntil: Number(until), leavingUntil: Number(leavingUntil) },
  }
  return { sale, tge: Number(tge), lastPurchaseBlock }
}

async function readPhase(client: ReadClient, address: Address, id: bigint): Promise<Phase> {
  const presale = { address, abi: presaleAbi, args: [id] } as const
  const [{ start, end, price, cap, walletCap }, sold] = await Promise.all([
    readContract(client, { ...presale, functionName: 'phase' }),
    readContract(client, { ...presale, functionName: 'soldIn' }),
  ])
  return { id: Number(id), start: Number(start), end: Number(end), price, cap, walletCap, soldAic: sold.aic }
}

/** Reads what a wallet holds, bought and can claim. */
export async function readOwn(client: ReadClient, config: SaleConfig, owner: Address, phases: readonly Phase[]): Promise<Own> {
  const presale = { address: config.presale, abi: presaleAbi } as const
  const [usdc, bought, [total, vested, claimed], positions] = await Promise.all([
    readContract(client, { address: config.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
    readContract(client, { ...presale, functionName: 'bought', args: [owner] }),
    readContract(client, { address: config.claimModule, abi: claimModuleAbi, functionName: 'claimable', args: [owner] }),
    Promise.all(
      phases.map(({ id }) => readContract(client, { ...presale, functionName: 'positionIn', args: [owner, BigInt(id)] })),
    ),
  ])
  const spentIn = positions.map((position) => position.usdc)
  return { usdc, boughtAic: bought.aic, boughtUsdc: bought.usdc, spentIn, total, vested, claimed }
}

/** Reads what never changes. */
export async function readTerms(client: ReadClient, config: SaleConfig): Promise<Terms> {
  const module = { address: config.claimModule, abi: claimModuleAbi } as const
  const [tgeBps, cliff, duration, presaleVault] = await Promise.all([
    readContract(client, { ...module, functionName: 'tgeBps' }),
    readContract(client, { ...module, functionName: 'cliff' }),
    readContract(client, { ...module, functionName: 'duration' }),
    readContract(client, { address: config.presale, abi: presaleAbi, functionName: 'vault' }),
  ])
  const routes = await readContract(client, { address: presaleVault, abi: presaleVaultAbi, functionName: 'routes' })
  return { tgeBps: Number(tgeBps), cliff: Number(cliff), duration: Number(duration), presaleVault, routes }
}
