import { privateKeyToAccount } from 'viem/accounts'
import { startChain } from '../../dev/anvil/chain.ts'
import { freePort } from '../../dev/process/ports.ts'
import { type Bundle, bundleWorker } from '../../dev/worker/bundle.ts'
import { makeBuyer } from '../../test/helpers/buyer.ts'
import { sealFor } from '../../test/helpers/cookies.ts'
import { loadConfig } from '../../worker/config/env.ts'
import { makeTextSigner } from '../../worker/lib/text-signer.ts'
import { BINDING_NAMES } from '../../worker/upstreams/limiter/binding-rate-limiter.ts'
import type { BenchContext } from '../benchmark.ts'
import type { StubFacts } from '../stubs/start.ts'
import { type Served, serveRaw } from './serve.ts'

export const CHAIN_ID = 31337
export const USDC = '0x1005Dc00000000000000000000000000000005dC'
export const PAY_TO = '0xc90cf362B62f185f47a1abD6Fa2951bE56bD9FDe'
/** For stubs without a database. */
const NO_DATABASE_URL = 'postgresql://nobody@127.0.0.1/none'

export const databaseUrlOf = (stubs: StubFacts): string => stubs.databaseUrl || NO_DATABASE_URL

/** The request that is priced and bought: one cent by the model's typical seconds. */
export const REQUEST = {
  task: 'text-to-image',
  model: 'black-forest-labs/flux-schnell',
  input: { prompt: 'a red bicycle leaning on a stone wall by the sea, morning light' },
}
export const SOUND_REQUEST = {
  task: 'text-to-sound',
  model: 'suno-ai/bark',
  input: { prompt: 'Good morning. The ferry to the island leaves in ten minutes.' },
}

/** Variables of the worker on the benchmark's stubs. `MIN_CONFIRMATIONS=0`: the worker trusts the facilitator, as the baseline does. */
export function coinslotEnv(port: number, stubs: StubFacts): Record<string, string> {
  return {
    ENVIRONMENT: 'development',
    ENABLE_DEV_CHAIN: 'true',
    PUBLIC_ORIGIN: `http://127.0.0.1:${port}`,
    PAYMENT_NETWORKS: `eip155:${CHAIN_ID}`,
    DEV_RPC_URL: stubs.rpcUrl,
    DEV_USDC_ADDRESS: USDC,
    RECEIVER_ADDRESS: PAY_TO,
    SESSION_SECRET: '0123456789abcdef0123456789abcdef',
    X402_FACILITATOR_URL: stubs.facilitatorUrl,
    DATABASE_URL: databaseUrlOf(stubs),
    DATABASE_HTTP_URL: stubs.databaseHttpUrl,
    MODEL_PROVIDER_BASE_URL: stubs.providerUrl,
    MODEL_PROVIDER_API_TOKEN: 'token',
    OBJECT_STORE_ACCOUNT_ID: 'local',
    OBJECT_STORE_ENDPOINT: stubs.storeUrl,
    OBJECT_STORE_ACCESS_KEY_ID: 'id',
    OBJECT_STORE_SECRET_ACCESS_KEY: 'secret',
    OBJECT_STORE_BUCKET_NAME: 'bucket',
    OBJECT_STORE_PUBLIC_URL: `${stubs.storeUrl}/bucket`,
    MIN_CONFIRMATIONS: '0',
    RATE_LIMITS: 'off',
  }
}

/** A signed-in buyer. Its two cookies are made as the worker makes them, so no call is needed. `origin` is that of another worker with the same secret. */
export async function signedInBuyer(env: Record<string, string>, index = 1, origin?: string) {
  const config = loadConfig(env)
  const privateKey = `0x${index.toString(16).padStart(64, '0')}` as const
  const buyer = makeBuyer({ fetch, origin: origin ?? config.publicOrigins[0], chainId: CHAIN_ID, privateKey })
  buyer.cookies.set('session', await sealFor(config, privateKeyToAccount(privateKey).address))
  buyer.cookies.set('csrf', `bench.${makeTextSigner(config, 'csrf').sign('bench')}`)
  return buyer
}

export type SignedInBuyer = Awaited<ReturnType<typeof signedInBuyer>>

export interface OurSide extends Served {
  env: Record<string, string>
  bundle: Bundle
}

export interface SideOptions {
  /** Another bundle of our worker. */
  bundle?: Bundle
  /** Variables that differ. */
  env?: Record<string, string>
}

/** Our worker in raw workerd; `firstAnswerMs` is the time from process start to the first 402 of a signed-in call. */
export async function serveCoinslot(stubs: StubFacts, dir: string, options: SideOptions = {}): Promise<OurSide> {
  const { env: changes, ...rest } = options
  const [port, bundle] = await Promise.all([freePort(), options.bundle ?? bundleWorker()])
  const env: Record<string, string> = { ...coinslotEnv(port, stubs), ...changes }
  const limiters = env['RATE_LIMITS'] === 'off' ? [] : Object.values(BINDING_NAMES)
  const buyer = await signedInBuyer(env)
  const probe = async (): Promise<void> => {
    const response = await buyer.post(REQUEST)
    await response.arrayBuffer()
    if (response.status !== 402) throw new Error(`expected 402, got ${response.status}`)
  }
  return { ...(await serveRaw({ ...rest, bundle, port, env, dir, limiters, probe })), env, bundle }
}

/** Our worker with its rate limits on. The limiters count and allow every call. */
export async function serveWithLimits({ dir, defer }: BenchContext, stubs: StubFacts, ours: OurSide): Promise<OurSide> {
  const side = await serveCoinslot(stubs, dir, { bundle: ours.bundle, env: { RATE_LIMITS: 'on' } })
  defer(side.stop)
  return side
}

/** Our worker with a price in AIC, whose token is on a chain that the worker reads once. */
export async function serveWithAic({ dir, defer }: BenchContext, stubs: StubFacts, ours: OurSide): Promise<OurSide> {
  const chain = await startChain({ buyers: 1 })
  defer(() => chain.close())
  const env = {
    DEV_RPC_URL: chain.url,
    AIC_PAYMENT_TOKEN_ADDRESS: chain.contracts['wrappedAic'] ?? '',
    AIC_USDC_RATE: '10',
  }
  const side = await serveCoinslot(stubs, dir, { bundle: ours.bundle, env })
  defer(side.stop)
  const { accepts } = await (await signedInBuyer(side.env)).quote(REQUEST)
  if (accepts.length !== 2) throw new Error(`expected prices in USDC and AIC, got ${accepts.length}`)
  return side
}
