import { join } from 'node:path'
import type * as z from 'zod'
import { integerFlag } from '../../client/cli/flags.ts'
import { MAX_BATCH } from '../../facilitator/chain/payment-call.ts'
import { aicDeployerKey, facilitatorKey, treasuryKey } from '../anvil/accounts.ts'
import { aicContractsOf } from '../anvil/deploy-aic.ts'
import { usdcOnChain } from '../anvil/usdc.ts'
import { freePort, portOf } from '../process/ports.ts'
import type { Supervised } from '../process/supervisor.ts'
import type { StackSecrets } from '../worker/secrets.ts'
import type { StackOptions } from './flags.ts'
import type { StackFolders } from './folders.ts'
import {
  chainInfo,
  databaseInfo,
  type ServiceContext,
  type ServiceName,
  startService,
  urlInfo,
} from './service-process.ts'

export const BUCKET = 'coinslot'

/** The services around the worker. `processes` leaves out those that a variable of the shell replaces. */
export interface Services {
  processes: Partial<Record<ServiceName, Pick<Supervised<unknown>, 'kill' | 'stop'>>>
  chain: z.infer<typeof chainInfo>
  payTo: `0x${string}`
  facilitatorUrl: string | null
  databaseUrl: string
  databaseHttpUrl: string
  objectStoreUrl: string
  bucket: string
  publicUrl: string
  modelProviderUrl: string
}

export interface ServicesStart {
  options: StackOptions
  folders: StackFolders
  secrets: StackSecrets
  context: ServiceContext
  /** Filled during the start, so that a failed start knows what to end. */
  processes: Services['processes']
}

/** Starts all services side by side. The facilitator waits for the chain only where the chain's addresses are not known in advance. */
export async function startServices(start: ServicesStart): Promise<Services> {
  const { options, processes } = start
  const expected = await expectedChain(options)
  const chainStart = startChainService(start, expected)
  const receiver = options.shell?.['RECEIVER_ADDRESS']
  const payToOf = (chain: SettledOn) => chainInfo.shape.payTo.parse(receiver ?? chain.payTo)
  const facilitatorStart = async (): Promise<string | null> => {
    const chain = expected ?? (await chainStart)
    return startFacilitator(start, chain, payToOf(chain))
  }
  const [chain, database, store, modelProviderUrl, facilitatorUrl] = await allSettledOrThrow([
    chainStart,
    startDatabase(start),
    startStore(start),
    startProvider(start),
    facilitatorStart(),
  ])
  return { processes, chain, payTo: payToOf(chain), facilitatorUrl, ...database, ...store, modelProviderUrl }
}

/** The facts about a chain that the facilitator needs. */
type SettledOn = Pick<Services['chain'], 'url' | 'chainId' | 'usdc' | 'payTo' | 'contracts'>

/** The addresses on the chain that the stack starts itself; null for a fork and for a chain that runs elsewhere. */
async function expectedChain({ fork, shell, chainId = 31337 }: StackOptions): Promise<SettledOn | null> {
  if (fork !== undefined || shell?.['DEV_RPC_URL'] !== undefined) return null
  const aic = aicContractsOf(aicDeployerKey().account.address)
  return {
    url: `http://127.0.0.1:${await freePort()}`,
    chainId,
    usdc: usdcOnChain(chainId).address,
    payTo: treasuryKey().account.address,
    contracts: { wrappedAic: aic.wrapped, batch: aic.batch },
  }
}

async function startChainService(
  { options, folders, context, processes }: ServicesStart,
  expected: SettledOn | null,
): Promise<Services['chain']> {
  const shell = options.shell ?? {}
  const service = await startService(context, 'chain', chainInfo, {
    port: expected === null ? undefined : portOf(expected.url),
    chainId: options.chainId,
    stateDir: join(folders.data, 'chain'),
    forkUrl: options.fork,
    buyers: options.buyers,
    rpcUrl: shell['DEV_RPC_URL'],
    usdcAddress: shell['DEV_USDC_ADDRESS'],
  })
  processes.chain = service
  return service.info
}

async function startDatabase({ options, folders, context, processes }: ServicesStart) {
  const databaseUrl = options.shell?.['DATABASE_URL']
  const place = databaseUrl === undefined ? { dataDir: join(folders.data, 'database') } : { databaseUrl }
  const service = await startService(context, 'database', databaseInfo, place)
  processes.database = service
  return { databaseUrl: service.info.databaseUrl, databaseHttpUrl: service.info.url }
}

async function startStore({ options, folders, secrets, context, processes }: ServicesStart) {
  const shell = options.shell ?? {}
  const bucket = shell['OBJECT_STORE_BUCKET_NAME'] ?? BUCKET
  const endpoint = shell['OBJECT_STORE_ENDPOINT']
  const of = (url: string) => ({
    objectStoreUrl: url,
    bucket,
    publicUrl: shell['OBJECT_STORE_PUBLIC_URL'] ?? `${url}/${bucket}`,
  })
  if (endpoint !== undefined) return of(endpoint)
  const service = await startService(context, 'store', urlInfo, {
    dir: join(folders.data, 'store'),
    bucket,
    accessKeyId: shell['OBJECT_STORE_ACCESS_KEY_ID'] ?? secrets.storeKeyId,
    secretAccessKey: shell['OBJECT_STORE_SECRET_ACCESS_KEY'] ?? secrets.storeSecret,
  })
  processes.store = service
  return of(service.info.url)
}

async function startProvider({ options, folders, secrets, context, processes }: ServicesStart): Promise<string> {
  const shell = options.shell ?? {}
  const replaced = shell['MODEL_PROVIDER_BASE_URL']
  if (replaced !== undefined) return replaced
  const service = await startService(context, 'provider', urlInfo, {
    dir: join(folders.data, 'provider'),
    token: shell['MODEL_PROVIDER_API_TOKEN'] ?? secrets.providerToken,
    webhookSecret: shell['MODEL_PROVIDER_WEBHOOK_SECRET'] ?? secrets.webhookSecret,
    localLlmUrl: shell['LOCAL_LLM_URL'],
  })
  processes.provider = service
  return service.info.url
}

async function startFacilitator(
  { options, context, processes }: ServicesStart,
  chain: SettledOn,
  payTo: `0x${string}`,
): Promise<string | null> {
  if (options.facilitator === false) return null
  const replaced = options.shell?.['X402_FACILITATOR_URL']
  if (replaced) return replaced
  const maxBatch = options.shell?.['FACILITATOR_MAX_BATCH']
  // The stack's own contract pays the stack's own payee only.
  const batch = payTo === chain.payTo ? chain.contracts['batch'] : undefined
  const assets = [chain.usdc, chain.contracts['wrappedAic']].filter((asset) => asset !== undefined)
  const service = await startService(context, 'facilitator', urlInfo, {
    networks: [{ network: `eip155:${chain.chainId}`, rpcUrl: chain.url, assets, payTo, batch }],
    privateKeys: [facilitatorKey().privateKey],
    tokens: [options.shell?.['X402_FACILITATOR_TOKEN']].filter((token) => token !== undefined),
    ...(maxBatch && { maxBatch: integerFlag('FACILITATOR_MAX_BATCH', maxBatch, { max: MAX_BATCH }) }),
  })
  processes.facilitator = service
  return service.info.url
}

type Results<Promises extends readonly unknown[]> = { -readonly [K in keyof Promises]: Awaited<Promises[K]> }

/** Like `Promise.all`, but rejects only after every promise has settled, so that what started late can still be ended. */
export async function allSettledOrThrow<const Promises extends readonly unknown[]>(
  promises: Promises,
): Promise<Results<Promises>> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
