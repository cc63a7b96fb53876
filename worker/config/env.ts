import { RATE_DECIMALS } from '../../protocol/money.ts'
import { checkReceiver, readAic, readEnforceTiers } from './aic.ts'
import type { Config } from './config.ts'
import { readAdmins, readFacilitator, readNetworks } from './networks.ts'
import { ConfigError, type EnvReader, makeEnvReader } from './reader.ts'
import * as check from './schemas.ts'
import { readOrigins, readRateLimits, readSecrets } from './site.ts'
import { readBuyersRestricted, readObjectStore, readProvider } from './upstreams.ts'

export { ConfigError } from './reader.ts'

export const DEFAULT_RATE = '0.001'
export const MAX_CONFIRMATIONS = 100

/** Optional settings that nothing else depends on. */
function readExtras(read: EnvReader): Pick<Config, 'trustedProxy' | 'errorTrackingDsn' | 'receiptSigningKey'> {
  const trustedProxy = read.optional('TRUSTED_PROXY', check.ipAddress)
  const errorTrackingDsn = read.optional('ERROR_TRACKING_DSN', check.errorTrackingDsn)
  const receiptSigningKey = read.optional('RECEIPT_SIGNING_KEY', check.privateKey)
  return {
    ...(trustedProxy !== undefined && { trustedProxy }),
    ...(errorTrackingDsn !== undefined && { errorTrackingDsn }),
    ...(receiptSigningKey !== undefined && { receiptSigningKey }),
  }
}

/**
 * Checks every setting of a deployment and returns them typed. Throws `ConfigError` with every fault at once; a fault names the
 * variable and the rule, never the value.
 */
export function loadConfig(env: Record<string, unknown>): Config {
  const read = makeEnvReader(env)
  const environment = read.optional('ENVIRONMENT', check.environment) ?? 'production'
  const publicOrigins = readOrigins(read, environment)
  const secrets = readSecrets(read, environment)
  const databaseUrl = read.required('DATABASE_URL', check.databaseUrl)
  const databaseHttpUrl = read.optional('DATABASE_HTTP_URL', check.httpUrl)
  const networks = readNetworks(read, environment)
  const facilitator = networks && readFacilitator(read, environment, networks, publicOrigins ?? [])
  const receiverAddress = read.required('RECEIVER_ADDRESS', check.payee)
  const provider = readProvider(read, environment)
  const objectStore = readObjectStore(read, environment)
  const aic = readAic(read)
  checkReceiver(read, receiverAddress, aic)
  const config = {
    environment,
    ...(databaseHttpUrl !== undefined && { databaseHttpUrl }),
    minConfirmations: read.optional('MIN_CONFIRMATIONS', check.integer(0, MAX_CONFIRMATIONS)) ?? 1,
    ratePerSec: read.optional('INFERENCE_RATE_PER_SEC', check.positiveDecimal(RATE_DECIMALS)) ?? DEFAULT_RATE,
    aic,
    enforceTiers: readEnforceTiers(read, aic),
    admins: readAdmins(read, networks ?? []),
    buyersRestricted: networks && provider ? readBuyersRestricted(read, environment, networks, provider) : false,
    rateLimits: readRateLimits(read, environment),
    paymentSignIn: read.optional('PAYMENT_SIGN_IN', check.flag) ?? false,
    openaiRoutes: read.optional('OPENAI_ROUTES', check.flag) ?? true,
    mcpRoutes: read.optional('MCP_ROUTES', check.flag) ?? true,
    ...readExtras(read),
  }
  const isComplete =
    publicOrigins &&
    secrets &&
    databaseUrl &&
    networks &&
    facilitator !== undefined &&
    receiverAddress &&
    provider &&
    objectStore
  if (read.faults.length > 0 || !isComplete) throw new ConfigError(read.faults)
  return {
    ...config,
    ...secrets,
    publicOrigins,
    databaseUrl,
    networks,
    facilitator,
    receiverAddress,
    provider,
    objectStore,
  }
}
