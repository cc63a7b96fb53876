import type { Address, Hex } from 'viem'

/** One network a deployment takes payments on. */
export interface PaymentNetwork {
  chainId: number
  /** CAIP-2, e.g. `eip155:8453`. */
  network: `eip155:${number}`
  name: string
  rpcUrl: string
  usdc: { address: Address; name: string; version: string }
  /** True for Sepolia, Base Sepolia and the dev chain: money without value. */
  isTest: boolean
}

/** Where AIC and its contracts live (always the first payment network); each part is optional. */
export interface AicConfig {
  tokenAddress?: Address
  stakingAddress?: Address
  /** The EIP-3009 token offered in `accepts`; `tokenAddress` when it is not given. */
  paymentTokenAddress?: Address
  /** AIC per 1 USDC, a decimal string. */
  usdcRate?: string
  splitterAddress?: Address
  /** Basis points, 0 to 10000. */
  burnBps?: number
}

/** A wallet of `ADMIN_ADDRESSES`: `address` is lower case; `chainId` is null for a plain account, which counts on every chain. */
export interface Admin {
  address: string
  chainId: number | null
}

/** Every setting of a deployment, checked and typed. Only `env.ts` makes it. */
export interface Config {
  environment: 'production' | 'preview' | 'development'
  /** Origins of the site, first one is the public one. Never empty. */
  publicOrigins: readonly [string, ...string[]]
  sessionSecret: string
  sessionSecretPrevious?: string
  databaseUrl: string
  /** A Neon-HTTP endpoint that is not Neon's own, e.g. `http://127.0.0.1:4444/sql`. */
  databaseHttpUrl?: string
  /** 1 to 4 networks. AIC lives on the first. */
  networks: readonly [PaymentNetwork, ...PaymentNetwork[]]
  receiverAddress: Address
  /** Null only on the dev chain with an empty `X402_FACILITATOR_URL`: settlement is skipped. */
  facilitator: { url: string; token?: string; key?: { id: string; secret: string } } | null
  /** Blocks a transfer must be deep before the model runs; 1 = mined, 0 = the facilitator is believed. */
  minConfirmations: number
  provider: { baseUrl: string; token: string; webhookSecret?: string; fileHosts: readonly string[] }
  objectStore: {
    /** Origin of the S3 API without the bucket, e.g. `https://<account>.r2.cloudflarestorage.com`. */
    endpoint: string
    bucket: string
    accessKeyId: string
    secretAccessKey: string
    /** Public base of objects, without a trailing slash. */
    publicUrl: string
  }
  /** USDC per second, a decimal string with at most 9 decimals, above zero. */
  ratePerSec: string
  aic: AicConfig
  enforceTiers: boolean
  admins: readonly Admin[]
  /** True on `preview` with a test network beside the provider's real host: only admins may buy. */
  buyersRestricted: boolean
  rateLimits: boolean
  /** A plain account's payment with an open quote counts as sign-in for its one purchase. */
  paymentSignIn: boolean
  /** True if `/v1/*`, OpenAI's form of the purchase, is served. */
  openaiRoutes: boolean
  /** True if the MCP server may call this API. */
  mcpRoutes: boolean
  /** Elsewhere than Cloudflare: the address of the proxy whose `X-Forwarded-For` may be believed. */
  trustedProxy?: string
  errorTrackingDsn?: string
  receiptSigningKey?: Hex
}
