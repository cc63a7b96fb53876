import { type Address, type Client, erc20Abi, hexToString, type Transport } from 'viem'
import { readContract } from 'viem/actions'
import { claimModuleAbi } from '../../../../contracts/abi/claim-module.ts'
import { liquidityVaultAbi } from '../../../../contracts/abi/liquidity-vault.ts'
import { presaleAbi } from '../../../../contracts/abi/presale.ts'
import { presaleVaultAbi } from '../../../../contracts/abi/presale-vault.ts'
import { VAULTS, type VaultName } from '../../../../contracts/checks/runtimes.ts'
import { type Phase, SALE_STATES, type SaleStateName } from '../../../shared/chain-reads/sale.ts'
import type { DashboardConfig } from '../config.ts'
import { readToken, type TokenState } from './token.ts'

/** A phase with what it raised, atomic USDC. */
export type RaisedPhase = Phase & { soldUsdc: bigint }

interface PauseState {
  pausedUntil: number
  /** Of 72 hours in all. */
  pausedSeconds: number
}

/** Amounts are atomic units, times Unix seconds; 0 means that there is no such time. */
export interface SaleState extends PauseState {
  name: SaleStateName
  raised: bigint
  sold: bigint
  softCap: bigint
  phases: RaisedPhase[]
  endedAt: number
  /** Seconds after the end of the last phase in which the sale cannot be final. */
  coolingOff: number
  lastPurchaseBlock: bigint
  /** USDC in the presale's vault. */
  escrow: bigint
  routed: bigint
}

export interface Schedule {
  name: string
  amount: bigint
  tgeBps: number
  cliff: number
  duration: number
}

export interface VaultState {
  name: VaultName
  address: Address
  usdc: bigint
  aic: bigint
  locked: bigint
  free: bigint
  schedules: Schedule[]
  /** Share of the raised USDC, basis points; null when the vault is not in the routes. */
  bps: number | null
  /** Position in the routes. */
  route: number
  due: bigint
  routed: bigint
}

export interface ClaimState extends PauseState {
  /** 0 before the sale ended. */
  tge: number
  claimed: bigint
  held: bigint
  tgeBps: number
  cliff: number
  duration: number
  /** When what was not sold can leave; 0 before the sale ended. */
  unsoldFrom: number
}

/** The state of the contracts at one block. A part that could not be read is null. */
export interface ChainState {
  sale: SaleState | null
  vaults: VaultState[] | null
  claims: ClaimState | null
  token: TokenState | null
  /** The first reason why a part could not be read. */
  fault: string | null
}

export type ReadClient = Client<Transport>

/** Reads everything at one block. viem makes one call of the reads. */
export async function readState(client: ReadClient, config: DashboardConfig, block: bigint): Promise<ChainState> {
  let fault: string | null = null
  const orNull = <Value>(read: Promise<Value>): Promise<Value | null> =>
    read.catch((error: unknown) => {
      fault ??= error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
      return null
    })
  const [sale, vaults, claims, token] = await Promise.all([
    orNull(readSale(client, config, block)),
    orNull(readVaults(client, config, block)),
    orNull(readClaims(client, config, block)),
    orNull(readToken(client, config, block)),
  ])
  return { sale, vaults, claims, token, fault }
}

async function readSale(client: ReadClient, { addresses, usdc }: DashboardConfig, blockNumber: bigint) {
  const presale = { address: addresses.presale, abi: presaleAbi, blockNumber } as const
  const vault = { address: addresses.presaleVault, abi: presaleVaultAbi, blockNumber } as const
  const count = await readContract(client, { ...presale, functionName: 'phaseCount' })
  const ids = Array.from({ length: Number(count) }, (_, index) => index + 1)
  const [state, raised, sold, softCap, endedAt, coolingOff, until, seconds, last, escrow, routed, phases] =
    await Promise.all([
      readContract(client, { ...presale, functionName: 'state' }),
      readContract(client, { ...presale, functionName: 'raised' }),
      readContract(client, { ...presale, functionName: 'totalSold' }),
      readContract(client, { ...presale, functionName: 'softCap' }),
      readContract(client, { ...presale, functionName: 'endedAt' }),
      readContract(client, { ...presale, functionName: 'coolingOff' }),
      readContract(client, { ...presale, functionName: 'pausedUntil' }),
      readContract(client, { ...presale, functionName: 'pausedSeconds' }),
      readContract(client, { ...presale, functionName: 'lastPurchaseBlock' }),
      balanceOf(client, usdc, addresses.presaleVault, blockNumber),
      readContract(client, { ...vault, functionName: 'totalRouted' }),
      Promise.all(ids.map((id) => readPhase(client, addresses.presale, id, blockNumber))),
    ])
  return {
    ...{ name: SALE_STATES[state] ?? 'waiting', raised, sold, softCap, phases, escrow, routed },
    ...{ endedAt: Number(endedAt), coolingOff: Number(coolingOff) },
    ...{ pausedUntil: Number(until), pausedSeconds: Number(seconds), lastPurchaseBlock: last },
  }
}

async function readPhase(client: ReadClient, address: Address, id: number, blockNumber: bigint): Promise<RaisedPhase> {
  const presale = { address, abi: presaleAbi, args: [BigInt(id)], blockNumber } as const
  const [phase, sold] = await Promise.all([
    readContract(client, { ...presale, functionName: 'phase' }),
    readContract(client, { ...presale, functionName: 'soldIn' }),
  ])
  const { start, end, price, cap, walletCap } = phase
  return { id, start: Number(start), end: Number(end), price, cap, walletCap, soldAic: sold.aic, soldUsdc: sold.usdc }
}

async function readVaults(client: ReadClient, config: DashboardConfig, blockNumber: bigint): Promise<VaultState[]> {
  const { addresses, usdc } = config
  const presaleVault = { address: addresses.presaleVault, abi: presaleVaultAbi, blockNumber } as const
  const routes = await readContract(client, { ...presaleVault, functionName: 'routes' })
  return Promise.all(
    VAULTS.map(async (name) => {
      const address = addresses[`${name}Vault`]
      const vault = { address, abi: liquidityVaultAbi, blockNumber } as const
      const route = routes.findIndex(({ vault: to }) => to.toLowerCase() === address.toLowerCase())
      const index = [BigInt(Math.max(0, route))] as const
      const [usdcHeld, aic, free, schedules, due, routed] = await Promise.all([
        balanceOf(client, usdc, address, blockNumber),
        balanceOf(client, addresses.aicToken, address, blockNumber),
        readContract(client, { ...vault, functionName: 'releasable' }),
        readContract(client, { ...vault, functionName: 'schedules' }),
        readContract(client, { ...presaleVault, functionName: 'dueTo', args: index }),
        readContract(client, { ...presaleVault, functionName: 'routed', args: index }),
      ])
      return {
        ...{ name, address, usdc: usdcHeld, aic, free, locked: aic - free, route },
        ...(route === -1 ? { bps: null, due: 0n, routed: 0n } : { bps: routes[route]?.bps ?? null, due, routed }),
        schedules: schedules.map((one) => ({ ...one, name: hexToString(one.name, { size: 32 }) })),
      }
    }),
  )
}

async function readClaims(client: ReadClient, { addresses }: DashboardConfig, blockNumber: bigint) {
  const module = { address: addresses.claimModule, abi: claimModuleAbi, blockNumber } as const
  const [tge, claimed, held, tgeBps, cliff, duration, unsoldFrom, until, seconds] = await Promise.all([
    readContract(client, { ...module, functionName: 'tge' }),
    readContract(client, { ...module, functionName: 'totalClaimed' }),
    balanceOf(client, addresses.aicToken, addresses.claimModule, blockNumber),
    readContract(client, { ...module, functionName: 'tgeBps' }),
    readContract(client, { ...module, functionName: 'cliff' }),
    readContract(client, { ...module, functionName: 'duration' }),
    readContract(client, { ...module, functionName: 'unsoldFrom' }),
    readContract(client, { ...module, functionName: 'pausedUntil' }),
    readContract(client, { ...module, functionName: 'pausedSeconds' }),
  ])
  return {
    ...{ tge: Number(tge), claimed, held, tgeBps: Number(tgeBps), cliff: Number(cliff), duration: Number(duration) },
    ...{ unsoldFrom: Number(unsoldFrom), pausedUntil: Number(until), pausedSeconds: Number(seconds) },
  }
}

/** Atomic units of an ERC-20 token. */
function balanceOf(client: ReadClient, address: Address, owner: Address, blockNumber: bigint): Promise<bigint> {
  return readContract(client, { address, abi: erc20Abi, functionName: 'balanceOf', args: [owner], blockNumber })
}
