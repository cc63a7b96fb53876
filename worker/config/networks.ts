import { DEV_CHAIN_ID, devUsdc, KNOWN_NETWORKS, knownNetwork } from '../../protocol/networks.ts'
import type { Admin, Config, PaymentNetwork } from './config.ts'
import type { EnvReader } from './reader.ts'
import * as check from './schemas.ts'
import type { Environment } from './site.ts'

const MAX_NETWORKS = 4
const DEFAULT_NETWORKS = ['eip155:1']
const DEFAULT_FACILITATOR_URL = 'https://x402.org/facilitator'

function readNetwork(read: EnvReader, name: string): PaymentNetwork | undefined {
  const known = knownNetwork(name)
  if (known === undefined) {
    read.fault('PAYMENT_NETWORKS', `takes ${Object.keys(KNOWN_NETWORKS).join(', ')} only`)
    return undefined
  }
  const rpcUrl = read.optional(known.rpcVariable, check.httpUrl) ?? known.defaultRpcUrl
  const devAddress = known.usdc === undefined ? read.required('DEV_USDC_ADDRESS', check.address) : undefined
  const usdc = known.usdc ?? (devAddress && devUsdc(devAddress))
  if (usdc === undefined) return undefined
  const { chainId, isTest } = known
  return { chainId, network: `eip155:${chainId}`, name: known.name, rpcUrl, usdc, isTest }
}

/** Money without value is for preview and development, the dev chain for development alone, and both say so. */
function refuseTestMoney(read: EnvReader, environment: Environment, networks: readonly PaymentNetwork[]): void {
  const devChainEnabled = read.optional('ENABLE_DEV_CHAIN', check.flag) ?? false
  if (devChainEnabled && environment !== 'development') {
    read.fault('ENABLE_DEV_CHAIN', 'may be true only with ENVIRONMENT=development')
  }
  if (networks.some(({ chainId }) => chainId === DEV_CHAIN_ID)) {
    if (!devChainEnabled) read.fault('ENABLE_DEV_CHAIN', 'must be true where PAYMENT_NETWORKS has eip155:31337')
    if (environment !== 'development') {
      read.fault('PAYMENT_NETWORKS', 'may have eip155:31337 only with ENVIRONMENT=development')
    }
  } else if (environment === 'production' && networks.some(({ isTest }) => isTest)) {
    read.fault('PAYMENT_NETWORKS', 'may have no test network in production')
  }
}

/** One to four different networks; AIC lives on the first. */
export function readNetworks(read: EnvReader, environment: Environment): Config['networks'] | undefined {
  const names = [...new Set(read.optional('PAYMENT_NETWORKS', check.list(check.anyText)) ?? DEFAULT_NETWORKS)]
  if (names.length > MAX_NETWORKS) read.fault('PAYMENT_NETWORKS', `takes at most ${MAX_NETWORKS} networks`)
  const networks = names.map((name) => readNetwork(read, name)).filter((network) => network !== undefined)
  refuseTestMoney(read, environment, networks)
  const [first, ...more] = networks
  return first === undefined ? undefined : [first, ...more]
}

/** Administrators: `0x…` for a plain account, `eip155:<chain>:0x…` for a contract wallet, which counts on that chain only. */
export function readAdmins(read: EnvReader, networks: readonly PaymentNetwork[]): Admin[] {
  const admins = read.optional('ADMIN_ADDRESSES', check.list(check.account)) ?? []
  if (admins.some(({ chainId }) => chainId !== null && networks.every((network) => network.chainId !== chainId))) {
    read.fault('ADMIN_ADDRESSES', 'names a chain that is not in PAYMENT_NETWORKS')
  }
  return admins.map(({ address, chainId }) => ({ address: address.toLowerCase(), chainId }))
}

type Credentials = Omit<NonNullable<Config['facilitator']>, 'url'>

/** A fixed bearer, or a key that signs a JWT for each call, or neither. */
function readCredentials(read: EnvReader): Credentials {
  const token = read.text('X402_FACILITATOR_TOKEN')
  const id = read.text('X402_FACILITATOR_KEY_ID')
  const secret = read.optional('X402_FACILITATOR_KEY_SECRET', check.signingKey)
  const hasSecret = read.text('X402_FACILITATOR_KEY_SECRET') !== undefined
  if (id === undefined && hasSecret) read.fault('X402_FACILITATOR_KEY_ID', 'is missing beside its secret')
  if (id !== undefined && !hasSecret) read.fault('X402_FACILITATOR_KEY_SECRET', 'is missing beside its id')
  if (token !== undefined && (id !== undefined || hasSecret)) {
    read.fault('X402_FACILITATOR_TOKEN', 'must not be set beside X402_FACILITATOR_KEY_ID: a call carries one of them')
  }
  if (id !== undefined && secret !== undefined) return { key: { id, secret } }
  return token === undefined ? {} : { token }
}

/**
 * The facilitator, or null where the dev chain settles nothing (the specification's rule for local development); undefined is a
 * fault, which is noted. Outside production the public one is the default.
 */
export function readFacilitator(
  read: EnvReader,
  environment: Environment,
  networks: readonly PaymentNetwork[],
  origins: readonly string[],
): Config['facilitator'] | undefined {
  const credentials = readCredentials(read)
  const url = read.optional('X402_FACILITATOR_URL', check.baseUrl)
  if (url !== undefined) return { url, ...credentials }
  if (read.text('X402_FACILITATOR_URL') !== undefined) return undefined
  if (environment === 'production') {
    read.fault('X402_FACILITATOR_URL', 'is missing; production has no default facilitator')
    return undefined
  }
  if (networks.every(({ chainId }) => chainId !== DEV_CHAIN_ID)) {
    return { url: DEFAULT_FACILITATOR_URL, ...credentials }
  }
  if (environment === 'development' && networks.length === 1 && origins.every(check.isLoopback)) return null
  read.fault('X402_FACILITATOR_URL', 'may be empty only in development, with the dev chain alone and loopback origins')
  return undefined
}
