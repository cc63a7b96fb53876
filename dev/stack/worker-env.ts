import type { StackSecrets } from './secrets.ts'

export interface WorkerPeers {
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
  secrets: StackSecrets
}

/** Variable that names the RPC of a chain. */
const RPC_VARIABLES: Record<number, string> = {
  1: 'ETHEREUM_RPC_URL',
  11155111: 'SEPOLIA_RPC_URL',
  8453: 'BASE_RPC_URL',
  84532: 'BASE_SEPOLIA_RPC_URL',
  31337: 'DEV_RPC_URL',
}

/** Chains that the worker knows. */
export const KNOWN_CHAIN_IDS = Object.keys(RPC_VARIABLES).map(Number)

/** Variables that, set in the shell, reach the worker as they are. */
const PASSED_ON = [
  'INFERENCE_RATE_PER_SEC',
  'ADMIN_ADDRESSES',
  'MIN_CONFIRMATIONS',
  'SESSION_SECRET',
  'SESSION_SECRET_PREVIOUS',
  'RECEIVER_ADDRESS',
  'X402_FACILITATOR_TOKEN',
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
  'TRUSTED_PROXY',
  'ERROR_TRACKING_DSN',
  'RECEIPT_SIGNING_KEY',
] as const

/** The worker's variables on the local stack. `shell` wins over what the stack would say. */
export function workerEnv(peers: WorkerPeers, shell: NodeJS.ProcessEnv): Record<string, string> {
  const { secrets, contracts } = peers
  const port = new URL(peers.origin).port
  const env: Record<string, string | undefined> = {
    ENVIRONMENT: 'development',
    ENABLE_DEV_CHAIN: 'true',
    PUBLIC_ORIGIN: `${peers.origin},http://localhost:${port}`,
    PAYMENT_NETWORKS: `eip155:${peers.chainId}`,
    [RPC_VARIABLES[peers.chainId] ?? 'DEV_RPC_URL']: peers.rpcUrl,
    DEV_USDC_ADDRESS: peers.usdc,
    RECEIVER_ADDRESS: peers.payTo,
    SESSION_SECRET: secrets.sessionSecret,
    X402_FACILITATOR_URL: peers.facilitatorUrl,
    DATABASE_URL: peers.databaseUrl,
    DATABASE_HTTP_URL: peers.databaseHttpUrl,
    OBJECT_STORE_ACCOUNT_ID: 'local',
    OBJECT_STORE_ENDPOINT: peers.objectStoreUrl,
    OBJECT_STORE_ACCESS_KEY_ID: secrets.storeKeyId,
    OBJECT_STORE_SECRET_ACCESS_KEY: secrets.storeSecret,
    OBJECT_STORE_BUCKET_NAME: peers.bucket,
    OBJECT_STORE_PUBLIC_URL: peers.publicUrl,
    MODEL_PROVIDER_BASE_URL: peers.modelProviderUrl,
    MODEL_PROVIDER_API_TOKEN: secrets.providerToken,
    MODEL_PROVIDER_WEBHOOK_SECRET: secrets.webhookSecret,
    AIC_TOKEN_ADDRESS: contracts['aicToken'],
    AIC_STAKING_ADDRESS: contracts['aicStaking'],
    AIC_PAYMENT_TOKEN_ADDRESS: contracts['wrappedAic'],
    AIC_SPLITTER_ADDRESS: contracts['splitter'],
    AIC_USDC_RATE: contracts['wrappedAic'] === undefined ? undefined : '10',
    AIC_BURN_BPS: contracts['splitter'] === undefined ? undefined : String(peers.burnBps),
    RECEIPT_SIGNING_KEY: secrets.receiptKey,
    RATE_LIMITS: peers.limits ? undefined : 'off',
  }
  for (const name of PASSED_ON) env[name] = shell[name] ?? env[name]
  const known = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(known)
}

/** A URL given with `--via`: one without a path of its own keeps the path of the part it stands before. */
export function viaUrl(own: string, via: string | undefined): string {
  if (via === undefined) return own
  const url = new URL(via)
  if (url.pathname !== '/') return via
  return url.origin + new URL(own).pathname.replace(/\/$/, '')
}
