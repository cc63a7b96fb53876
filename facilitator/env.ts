import type { Address, Hex } from 'viem'
import { parseEther, parseGwei } from 'viem/utils'
import * as z from 'zod'
import { devUsdc, KNOWN_NETWORKS, knownNetwork } from '../protocol/networks.ts'
import { ConfigError, type EnvReader, makeEnvReader } from '../worker/config/reader.ts'
import * as check from '../worker/config/schemas.ts'
import { MAX_BATCH } from './chain/payment-call.ts'
import { DEFAULT_MAX_BATCH, DEFAULT_MAX_GAS } from './facilitator.ts'
import { DEFAULT_GAS_BUDGET, type GasBudget } from './gas/gas-budget.ts'
import type { AllowedNetwork } from './http/allow-list.ts'

export interface FacilitatorConfig {
  port: number
  databaseUrl: string
  privateKeys: readonly Hex[]
  maxBatch: number
  tokens: readonly string[]
  networks: readonly AllowedNetwork[]
  maxGas: bigint
  /** Wei per gas. */
  maxFeePerGas: bigint
  /** Wei. */
  lowBalance: bigint
  confirmationTimeoutMs: number
  budget: GasBudget
}

const DEFAULT_PORT = 4020
const DEFAULT_MAX_FEE_GWEI = '100'
const DEFAULT_LOW_BALANCE_ETHER = '0.01'
const DEFAULT_CONFIRMATION_SECONDS = 25

/**
 * Reads the program's variables. `PAYMENT_NETWORKS`, `RECEIVER_ADDRESS`, `AIC_PAYMENT_TOKEN_ADDRESS` and the RPC variables are the
 * worker's own, so that both read one file. Throws `ConfigError` with every fault at once, without values.
 */
export function loadFacilitatorConfig(env: Record<string, unknown>): FacilitatorConfig {
  const read = makeEnvReader(env)
  const privateKeys = readKeys(read)
  const databaseUrl = read.required('DATABASE_URL', check.databaseUrl)
  const tokens = [
    read.required('FACILITATOR_TOKEN', check.secret),
    read.optional('FACILITATOR_TOKEN_PREVIOUS', check.secret),
  ].filter((token) => token !== undefined)
  const networks = readNetworks(read)
  const config = {
    port: read.optional('PORT', check.integer(1, 65_535)) ?? DEFAULT_PORT,
    tokens,
    networks,
    privateKeys,
    maxBatch: read.optional('FACILITATOR_MAX_BATCH', check.integer(1, MAX_BATCH)) ?? DEFAULT_MAX_BATCH,
    maxGas: BigInt(read.optional('FACILITATOR_MAX_GAS', check.integer(50_000, 999_999)) ?? DEFAULT_MAX_GAS),
    maxFeePerGas: parseGwei(
      read.optional('FACILITATOR_MAX_FEE_GWEI', check.positiveDecimal(9)) ?? DEFAULT_MAX_FEE_GWEI,
    ),
    lowBalance: parseEther(
      read.optional('FACILITATOR_LOW_BALANCE_ETHER', check.positiveDecimal(18)) ?? DEFAULT_LOW_BALANCE_ETHER,
    ),
    confirmationTimeoutMs:
      1_000 *
      (read.optional('FACILITATOR_CONFIRMATION_SECONDS', check.integer(5, 600)) ?? DEFAULT_CONFIRMATION_SECONDS),
    budget: readBudget(read),
  }
  if (read.faults.length > 0 || databaseUrl === undefined) {
    throw new ConfigError(read.faults)
  }
  return { ...config, databaseUrl }
}

/** The settings for the deployment of the batch contracts, of the same variables. Throws `ConfigError` as above. */
export function loadBatchSettings(env: Record<string, unknown>): {
  networks: readonly AllowedNetwork[]
  privateKey: Hex
} {
  const read = makeEnvReader(env)
  const [privateKey] = readKeys(read)
  const networks = readNetworks(read)
  if (read.faults.length > 0 || privateKey === undefined) throw new ConfigError(read.faults)
  return { networks, privateKey }
}

/** `FACILITATOR_PRIVATE_KEYS`, or the one of `FACILITATOR_PRIVATE_KEY`, or both: each key once. */
function readKeys(read: EnvReader): Hex[] {
  const list = read.optional('FACILITATOR_PRIVATE_KEYS', check.list(check.privateKey)) ?? []
  const one =
    list.length === 0
      ? read.required('FACILITATOR_PRIVATE_KEY', check.privateKey)
      : read.optional('FACILITATOR_PRIVATE_KEY', check.privateKey)
  return [...new Set([...list, one].filter((key) => key !== undefined))]
}

const gas = z
  .string()
  .regex(/^\d{1,12}$/, 'must be a whole number of gas')
  .transform(BigInt)

function readBudget(read: EnvReader): GasBudget {
  const { perPayer, onTrial, perNetwork } = DEFAULT_GAS_BUDGET
  return {
    perPayer: read.optional('FACILITATOR_PAYER_GAS_PER_HOUR', gas) ?? perPayer,
    onTrial: read.optional('FACILITATOR_TRIAL_GAS_PER_HOUR', gas) ?? onTrial,
    perNetwork: read.optional('FACILITATOR_LOST_GAS_PER_HOUR', gas) ?? perNetwork,
  }
}

/** One entry per network: Circle's USDC there, and on the first one the AIC payment token; one payee everywhere. */
function readNetworks(read: EnvReader): AllowedNetwork[] {
  const payTo = read.required('RECEIVER_ADDRESS', check.payee)
  const aic =
    read.optional('AIC_PAYMENT_TOKEN_ADDRESS', check.address) ?? read.optional('AIC_TOKEN_ADDRESS', check.address)
  const names = new Set(read.required('PAYMENT_NETWORKS', check.list(check.anyText)))
  const batches = readBatches(read, names)
  return [...names].flatMap((name, index) => {
    const known = knownNetwork(name)
    if (known === undefined) {
      read.fault('PAYMENT_NETWORKS', `takes ${Object.keys(KNOWN_NETWORKS).join(', ')} only`)
      return []
    }
    const rpcUrl = read.required(known.rpcVariable, check.httpUrl)
    const usdc = known.usdc?.address ?? usdcOf(read)
    if (rpcUrl === undefined || usdc === undefined || payTo === undefined) return []
    const assets = index === 0 && aic !== undefined ? [usdc, aic] : [usdc]
    return [{ network: `eip155:${known.chainId}`, rpcUrl, assets, payTo, batch: batches.get(name) }]
  })
}

/** `eip155:8453=0x…` for each network with a batch contract, separated by commas. */
function readBatches(read: EnvReader, names: ReadonlySet<string>): Map<string, Address> {
  const variable = 'FACILITATOR_BATCH_CONTRACTS'
  const batches = new Map<string, Address>()
  for (const text of read.optional(variable, check.list(check.anyText)) ?? []) {
    const [name = '', address] = text.split('=')
    const batch = check.address.safeParse(address).data
    if (batch === undefined) read.fault(variable, 'must be like eip155:8453=0x…')
    else if (!names.has(name)) read.fault(variable, 'names a network that PAYMENT_NETWORKS does not')
    else batches.set(name, batch)
  }
  return batches
}

function usdcOf(read: EnvReader): Address | undefined {
  const address = read.required('DEV_USDC_ADDRESS', check.address)
  return address && devUsdc(address).address
}
