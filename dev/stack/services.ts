import { join } from 'node:path'
import type * as z from 'zod'
import { aicDeployerKey, facilitatorKey, treasuryKey } from '../anvil/accounts.ts'
import { aicContractsOf } from '../anvil/deploy-aic.ts'
import { usdcOf } from '../anvil/usdc.ts'
import type { StackFolders } from './folders.ts'
import type { StackOptions } from './options.ts'
import { chainFacts, databaseFacts, type PartContext, startPart, urlFacts } from './parts.ts'
import { freePort } from './ports.ts'
import type { StackSecrets } from './secrets.ts'
import { portOf } from './service-process.ts'
import type { Supervised } from './supervisor.ts'
import { together } from './together.ts'

export const BUCKET = 'coinslot'

export type PartName = 'chain' | 'facilitator' | 'database' | 'store' | 'provider'

/** The parts around the worker. What a variable of the shell replaces is not among `processes`. */
export interface Peers {
  processes: Partial<Record<PartName, Pick<Supervised<unknown>, 'kill' | 'stop'>>>
  chain: z.infer<typeof chainFacts>
  payTo: `0x${string}`
  facilitatorUrl: string | null
  databaseUrl: string
  databaseHttpUrl: string
  objectStoreUrl: string
  bucket: string
  publicUrl: string
  modelProviderUrl: string
}

export interface PeersStart {
  options: StackOptions
  folders: StackFolders
  secrets: StackSecrets
  context: PartContext
  /** Filled while they start, so that a failed start knows what to end. */
  processes: Peers['processes']
}

/** Starts all parts side by side; where the facilitator cannot know the chain's addresses yet, it waits for the chain. */
export async function startPeers(start: PeersStart): Promise<Peers> {
  const { options, processes } = start
  const expected = await expectedChain(options)
  const chainStart = startChainPart(start, expected)
  const receiver = options.shell?.['RECEIVER_ADDRESS']
  const payToOf = (chain: SettledOn) => chainFacts.shape.payTo.parse(receiver ?? chain.payTo)
  const facilitatorStart = async (): Promise<string | null> => {
    const chain = expected ?? (await chainStart)
    return startFacilitator(start, chain, payToOf(chain))
  }
  const [chain, database, store, modelProviderUrl, facilitatorUrl] = await together([
    chainStart,
    startDatabase(start),
    startStore(start),
    startProvider(start),
    facilitatorStart(),
  ])
  return { processes, chain, payTo: payToOf(chain), facilitatorUrl, ...database, ...store, modelProviderUrl }
}

/** What the facilitator must know of a chain. */
type SettledOn = Pick<Peers['chain'], 'url' | 'chainId' | 'usdc' | 'payTo' | 'contracts'>

/** A chain of our own has everything at known addresses; null for a fork and for a chain that somebody else runs. */
async function expectedChain({ fork, shell, chainId = 31337 }: StackOptions): Promise<SettledOn | null> {
  if (fork !== undefined || shell?.['DEV_RPC_URL'] !== undefined) return null
  return {
    url: `http://127.0.0.1:${await freePort()}`,
    chainId,
    usdc: usdcOf(chainId).address,
    payTo: treasuryKey().account.address,
    contracts: { wrappedAic: aicContractsOf(aicDeployerKey().account.address).wrapped },
  }
}

async function startChainPart(
  { options, folders, context, processes }: PeersStart,
  expected: SettledOn | null,
): Promise<Peers['chain']> {
  const shell = options.shell ?? {}
  const part = await startPart(context, 'chain', 'anvil', chainFacts, {
    port: expected === null ? undefined : portOf(expected.url),
    chainId: options.chainId,
    stateDir: join(folders.data, 'chain'),
    forkUrl: options.fork,
    buyers: options.buyers,
    rpcUrl: shell['DEV_RPC_URL'],
    usdcAddress: shell['DEV_USDC_ADDRESS'],
  })
  processes.chain = part
  return part.facts
}

async function startDatabase({ options, folders, context, processes }: PeersStart) {
  const databaseUrl = options.shell?.['DATABASE_URL']
  const place = databaseUrl === undefined ? { dataDir: join(folders.data, 'database') } : { databaseUrl }
  const part = await startPart(context, 'database', 'neon', databaseFacts, place)
  processes.database = part
  return { databaseUrl: part.facts.databaseUrl, databaseHttpUrl: part.facts.url }
}

async function startStore({ options, folders, secrets, context, processes }: PeersStart) {
  const shell = options.shell ?? {}
  const bucket = shell['OBJECT_STORE_BUCKET_NAME'] ?? BUCKET
  const endpoint = shell['OBJECT_STORE_ENDPOINT']
  const of = (url: string) => ({
    objectStoreUrl: url,
    bucket,
    publicUrl: shell['OBJECT_STORE_PUBLIC_URL'] ?? `${url}/${bucket}`,
  })
  if (endpoint !== undefined) return of(endpoint)
  const part = await startPart(context, 'store', 's3', urlFacts, {
    dir: join(folders.data, 'store'),
    bucket,
    accessKeyId: shell['OBJECT_STORE_ACCESS_KEY_ID'] ?? secrets.storeKeyId,
    secretAccessKey: shell['OBJECT_STORE_SECRET_ACCESS_KEY'] ?? secrets.storeSecret,
  })
  processes.store = part
  return of(part.facts.url)
}

async function startProvider({ options, folders, secrets, context, processes }: PeersStart): Promise<string> {
  const shell = options.shell ?? {}
  const replaced = shell['MODEL_PROVIDER_BASE_URL']
  if (replaced !== undefined) return replaced
  const part = await startPart(context, 'provider', 'provider', urlFacts, {
    dir: join(folders.data, 'provider'),
    token: shell['MODEL_PROVIDER_API_TOKEN'] ?? secrets.providerToken,
    webhookSecret: shell['MODEL_PROVIDER_WEBHOOK_SECRET'] ?? secrets.webhookSecret,
    localLlmUrl: shell['LOCAL_LLM_URL'],
  })
  processes.provider = part
  return part.facts.url
}

async function startFacilitator(
  { options, context, processes }: PeersStart,
  chain: SettledOn,
  payTo: `0x${string}`,
): Promise<string | null> {
  if (options.facilitator === false) return null
  const replaced = options.shell?.['X402_FACILITATOR_URL']
  if (replaced) return replaced
  const assets = [chain.usdc, chain.contracts['wrappedAic']].filter((asset) => asset !== undefined)
  const part = await startPart(context, 'facilitator', 'facilitator', urlFacts, {
    networks: [{ network: `eip155:${chain.chainId}`, rpcUrl: chain.url, assets, payTo }],
    privateKey: facilitatorKey().privateKey,
    tokens: [options.shell?.['X402_FACILITATOR_TOKEN']].filter((token) => token !== undefined),
  })
  processes.facilitator = part
  return part.facts.url
}
