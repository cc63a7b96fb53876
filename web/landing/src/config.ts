import type { Address } from 'viem'
import { CHAIN_IDS } from '../../shared/chain-reads/client.ts'
import { devFacts } from '../../shared/dev-chain.ts'
import { pathIn, placeIn } from '../../shared/languages.ts'
import { networkOf } from '../../shared/wallet/networks.ts'
import { DEV_CHAIN } from '../../shared/wallet/provider.ts'
import { VARIABLES } from '../variables.ts'

const BASE = import.meta.env.BASE_URL

/** The page that is open, and its language. */
export const PLACE = placeIn(BASE, location.pathname)

/** A page of this site, in the page's language or in another one. */
export const at = (path: string, language = PLACE.language): string => BASE.slice(0, -1) + pathIn(language, path)

export interface SaleConfig {
  chainId: number
  rpcUrl: string
  token: Address
  presale: Address
  claimModule: Address
  usdc: Address
  /** The phase that the page leads with. */
  phaseId: number
  /** Without a slash at its end; null on a chain that has no explorer. */
  explorer: string | null
}

/** The sale of this build, or of the running local stack. Throws when an address is missing. */
export async function loadConfig(): Promise<SaleConfig> {
  return DEV_CHAIN ? localConfig() : builtConfig(import.meta.env)
}

function builtConfig(env: Readonly<Record<string, unknown>>): SaleConfig {
  const chainId = CHAIN_IDS[String(env[VARIABLES.network])] ?? 1
  return {
    chainId,
    rpcUrl: networkOf(chainId).rpcUrl ?? '',
    token: addressOf(env[VARIABLES.token], VARIABLES.token),
    presale: addressOf(env[VARIABLES.presale], VARIABLES.presale),
    claimModule: addressOf(env[VARIABLES.claimModule], VARIABLES.claimModule),
    usdc: addressOf(env[VARIABLES.usdc], VARIABLES.usdc),
    phaseId: Number(env[VARIABLES.phaseId]),
    explorer: String(env[VARIABLES.explorer]).replace(/\/+$/, ''),
  }
}

async function localConfig(): Promise<SaleConfig> {
  const { chainId, rpcPath, usdc, contracts } = await devFacts()
  return {
    chainId,
    rpcUrl: new URL(rpcPath, location.href).href,
    token: addressOf(contracts['aicToken'], VARIABLES.token),
    presale: addressOf(contracts['presale'], VARIABLES.presale),
    claimModule: addressOf(contracts['claimModule'], VARIABLES.claimModule),
    usdc: addressOf(usdc, VARIABLES.usdc),
    phaseId: 1,
    explorer: null,
  }
}

function addressOf(value: unknown, variable: string): Address {
  if (!isAddress(value)) throw new Error(`${variable} is not an address`)
  return value
}

const isAddress = (value: unknown): value is Address => typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)
