import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { KNOWN_NETWORKS, knownNetwork } from '../../protocol/networks.ts'
import type { StackSecrets } from './secrets.ts'

export interface WorkerServices {
  origin: string
  chainId: number
  rpcUrl: string
  usdc: string
  payTo: string
  /** Empty: the facilitator is skipped. */
  facilitatorUrl: string
  databaseUrl: string
  databaseHttpUrl: string
  objectStoreUrl: string
  bucket: string
  publicUrl: string
  modelProviderUrl: string
  contracts: Record<string, string>
  burnBps: number
  limits: boolean
  paymentSignIn: boolean
  secrets: StackSecrets
}

/** Chains that the worker knows. */
export const KNOWN_CHAIN_IDS = Object.values(KNOWN_NETWORKS).map(({ chainId }) => chainId)

/** Variables of the shell that reach the worker unchanged. */
const PASSED_ON = [
  'INFERENCE_RATE_PER_SEC',
  'ADMIN_ADDRESSES',
  'MIN_CONFIRMATIONS',
  'SESSION_SECRET',
  'SESSION_SECRET_PREVIOUS',
  'RECEIVER_ADDRESS',
  'X402_FACILITATOR_TOKEN',
  'X402_FACILITATOR_KEY_ID',
  'X402_FACILITATOR_KEY_SECRET',
  'OBJECT_STORE_ACCOUNT_ID',
  'OBJECT_STORE_ACCESS_KEY_ID',
  'OBJECT_STORE_SECRET_ACCESS_KEY',
  'OBJECT_STORE_BUCKET_NAME',
  'OBJECT_STORE_PUBLIC_URL',
  'MODEL_PROVIDER_API_TOKEN',
  'MODEL_PROVIDER_WEBHOOK_SECRET',
  'MODEL_PROVIDER_FILE_HOSTS',
  'AIC_TOKEN_ADDRESS',
  'AIC_STAKING_ADDRESS',
  'AIC_PAYMENT_TOKEN_ADDRESS',
  'AIC_SPLITTER_ADDRESS',
  'AIC_USDC_RATE',
  'AIC_BURN_BPS',
  'ENFORCE_TIERS',
  'PAYMENT_SIGN_IN',
  'OPENAI_ROUTES',
  'MCP_ROUTES',
  'TRUSTED_PROXY',
  'ERROR_TRACKING_DSN',
  'RECEIPT_SIGNING_KEY',
] as const

/** The worker's variables on the local stack. A variable of `shell` replaces the stack's own value. */
export function workerEnv(services: WorkerServices, shell: NodeJS.ProcessEnv): Record<string, string> {
  const { secrets, contracts } = services
  const port = new URL(services.origin).port
  const env: Record<string, string | undefined> = {
    ENVIRONMENT: 'development',
    ENABLE_DEV_CHAIN: 'true',
    PUBLIC_ORIGIN: `${services.origin},http://localhost:${port}`,
    PAYMENT_NETWORKS: `eip155:${services.chainId}`,
    [knownNetwork(`eip155:${services.chainId}`)?.rpcVariable ?? 'DEV_RPC_URL']: services.rpcUrl,
    DEV_USDC_ADDRESS: services.usdc,
    RECEIVER_ADDRESS: services.payTo,
    SESSION_SECRET: secrets.sessionSecret,
    X402_FACILITATOR_URL: services.facilitatorUrl,
    DATABASE_URL: services.databaseUrl,
    DATABASE_HTTP_URL: services.databaseHttpUrl,
    OBJECT_STORE_ACCOUNT_ID: 'local',
    OBJECT_STORE_ENDPOINT: services.objectStoreUrl,
    OBJECT_STORE_ACCESS_KEY_ID: secrets.storeKeyId,
    OBJECT_STORE_SECRET_ACCESS_KEY: secrets.storeSecret,
    OBJECT_STORE_BUCKET_NAME: services.bucket,
    OBJECT_STORE_PUBLIC_URL: services.publicUrl,
    MODEL_PROVIDER_BASE_URL: services.modelProviderUrl,
    MODEL_PROVIDER_API_TOKEN: secrets.providerToken,
    MODEL_PROVIDER_WEBHOOK_SECRET: secrets.webhookSecret,
    AIC_TOKEN_ADDRESS: contracts['aicToken'],
    AIC_STAKING_ADDRESS: contracts['aicStaking'],
    AIC_PAYMENT_TOKEN_ADDRESS: contracts['wrappedAic'],
    AIC_SPLITTER_ADDRESS: contracts['splitter'],
    AIC_USDC_RATE: contracts['wrappedAic'] === undefined ? undefined : '10',
    AIC_BURN_BPS: contracts['splitter'] === undefined ? undefined : String(services.burnBps),
    RECEIPT_SIGNING_KEY: secrets.receiptKey,
    PAYMENT_SIGN_IN: services.paymentSignIn ? 'true' : undefined,
    RATE_LIMITS: services.limits ? undefined : 'off',
  }
  for (const name of PASSED_ON) env[name] = shell[name] ?? env[name]
  // The stack's own chain keeps its RPC, and a flag its word; an empty list names no network.
  for (const { rpcVariable } of Object.values(KNOWN_NETWORKS)) env[rpcVariable] ??= shell[rpcVariable]
  env['RATE_LIMITS'] ??= shell['RATE_LIMITS']
  env['PAYMENT_NETWORKS'] = shell['PAYMENT_NETWORKS'] || env['PAYMENT_NETWORKS']
  const known = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(known)
}

/** The URL that `--via` names. One without a path takes the path of the service that it stands before. */
export function viaUrl(own: string, via: string | undefined): string {
  if (via === undefined) return own
  const url = new URL(via)
  if (url.pathname !== '/') return via
  return url.origin + new URL(own).pathname.replace(/\/$/, '')
}

/** A line of a dotenv file. The quote is one that the value does not contain. */
export function envLine(name: string, value: string): string {
  const quote = ["'", '`', '"'].find((mark) => !value.includes(mark))
  if (quote === undefined) throw new Error(`${name} has every kind of quote in it, which a dotenv file cannot hold`)
  return `${name}=${quote}${value}${quote}`
}

/** Writes the worker's variables, for the operator's commands and `wrangler dev`. Only the file's owner can read it. */
export async function writeWorkerEnv(env: Record<string, string>, file: string): Promise<void> {
  const lines = Object.entries(env).map(([name, value]) => envLine(name, value))
  await mkdir(dirname(file), { recursive: true })
  await rm(file, { force: true })
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 })
}
