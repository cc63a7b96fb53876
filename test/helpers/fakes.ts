import { createHash, randomUUID } from 'node:crypto'
import type { Database } from '../../db/client.ts'
import { DatabaseUnavailable } from '../../db/client.ts'
import type { Chain } from '../../worker/chain/chain.ts'
import { ChainUnavailable } from '../../worker/chain/chain.ts'
import type { Config, PaymentNetwork } from '../../worker/config.ts'
import type { Deps, RequestDeps } from '../../worker/context.ts'
import type { Log } from '../../worker/log.ts'
import type { Facilitator, SettleOutcome, VerifyOutcome } from '../../worker/payments/facilitator.ts'
import type { PaymentPayload, PaymentRequirements } from '../../worker/payments/schemas.ts'
import { makePeerHealth } from '../../worker/peers.ts'
import type { CreatePrediction, Prediction, Provider } from '../../worker/providers/provider.ts'
import { ProviderError } from '../../worker/providers/provider.ts'
import type { RateLimiter } from '../../worker/rate-limits/rate-limiter.ts'
import type { ObjectStore } from '../../worker/storage/object-store.ts'
import { StorageUnavailable } from '../../worker/storage/object-store.ts'

export const TEST_ORIGIN = 'https://coinslot.example'
export const TEST_RECEIVER = '0x000000000000000000000000000000000000dEaD'
export const TEST_SECRET = 'a test secret that is long enough, 48 characters'

export const BASE_SEPOLIA: PaymentNetwork = {
  chainId: 84532,
  network: 'eip155:84532',
  name: 'Base Sepolia',
  rpcUrl: 'http://127.0.0.1:8545',
  usdc: { address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', name: 'USDC', version: '2' },
  isTest: true,
}

export const SEPOLIA: PaymentNetwork = {
  chainId: 11155111,
  network: 'eip155:11155111',
  name: 'Sepolia',
  rpcUrl: 'http://127.0.0.1:8546',
  usdc: { address: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', name: 'USDC', version: '2' },
  isTest: true,
}

/** A sound configuration: one https origin, Base Sepolia, no AIC. */
export function makeTestConfig(overrides: Partial<Config> = {}): Config {
  return {
    environment: 'preview',
    publicOrigins: [TEST_ORIGIN],
    sessionSecret: TEST_SECRET,
    databaseUrl: 'postgres://test@127.0.0.1/test',
    networks: [BASE_SEPOLIA],
    receiverAddress: TEST_RECEIVER,
    facilitator: { url: 'https://facilitator.example' },
    minConfirmations: 1,
    provider: { baseUrl: 'https://provider.example/v1', token: 'provider-token', fileHosts: ['files.example'] },
    objectStore: {
      endpoint: 'https://store.example',
      bucket: 'results',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
      publicUrl: 'https://cdn.example',
    },
    ratePerSec: '0.001',
    aic: {},
    enforceTiers: false,
    adminAddresses: [],
    buyersRestricted: false,
    rateLimits: true,
    ...overrides,
  }
}

/** A clock that stands until it is moved. */
export function makeFakeClock(start = '2026-11-27T12:00:00.000Z') {
  let time = Date.parse(start)
  return {
    now: (): Date => new Date(time),
    set(to: string | Date): void {
      time = new Date(to).getTime()
    },
    advance(ms: number): void {
      time += ms
    },
  }
}

export interface LoggedLine {
  level: 'info' | 'warn' | 'error'
  event: string
  fields: Record<string, unknown>
}

/** Keeps what was logged. */
export function makeFakeLog(): Log & { lines: LoggedLine[] } {
  const lines: LoggedLine[] = []
  const writer =
    (level: LoggedLine['level']) =>
    (event: string, fields: Record<string, unknown> = {}): void =>
      void lines.push({ level, event, fields })
  return { lines, info: writer('info'), warn: writer('warn'), error: writer('error') }
}

type ChainScript = Pick<Chain, 'authorizationStatus' | 'authorizationFate' | 'transferIn'>

/**
 * A chain of maps; keys of accounts and tokens are lower case. `down` makes every read throw.
 * What depends on a transfer is a function that a test replaces in `script`.
 */
export function makeFakeChain(clock: { now(): Date }) {
  const state = {
    down: false,
    calls: [] as string[],
    code: new Set<string>(),
    /** Signatures that smart accounts take, any message. */
    validSignatures: new Set<string>(),
    unpayableTokens: new Set<string>(),
    tokenNames: new Map<string, string>(),
    /** `token:account` -> atomic units. */
    balances: new Map<string, bigint>(),
    stakes: new Map<string, bigint>(),
    burned: new Map<string, bigint>(),
    script: {
      authorizationStatus: async () => ({ spent: false, blockTime: clock.now() }),
      authorizationFate: async () => ({ kind: 'not_found' }),
      transferIn: async (_query, transaction) => ({
        transaction,
        logIndex: 0,
        blockTime: clock.now(),
        confirmations: 1,
      }),
    } as ChainScript,
  }
  const read = <T>(name: string, value: () => T): Promise<T> => {
    state.calls.push(name)
    return state.down ? Promise.reject(new ChainUnavailable('the test chain is down')) : Promise.resolve(value())
  }
  const chain: Chain = {
    hasCode: (_chainId, account) => read('hasCode', () => state.code.has(account.toLowerCase())),
    authorizationStatus: async (query) =>
      (await read('authorizationStatus', () => state.script.authorizationStatus))(query),
    authorizationFate: async (query, since) =>
      (await read('authorizationFate', () => state.script.authorizationFate))(query, since),
    transferIn: async (query, transaction) =>
      (await read('transferIn', () => state.script.transferIn))(query, transaction),
    verifyMessage: (_chainId, _account, _message, signature) =>
      read('verifyMessage', () => state.validSignatures.has(signature)),
    verifyTypedData: (_chainId, _account, _data, signature) =>
      read('verifyTypedData', () => state.validSignatures.has(signature)),
    isPayableToken: (_chainId, token) => read('isPayableToken', () => !state.unpayableTokens.has(token.toLowerCase())),
    tokenName: (_chainId, token) => read('tokenName', () => state.tokenNames.get(token.toLowerCase()) ?? 'Token'),
    balanceOf: (_chainId, token, account) =>
      read('balanceOf', () => state.balances.get(`${token}:${account}`.toLowerCase()) ?? 0n),
    stakedBalance: (_chainId, _staking, account) =>
      read('stakedBalance', () => state.stakes.get(account.toLowerCase()) ?? 0n),
    totalBurned: (_chainId, _splitter, token) => read('totalBurned', () => state.burned.get(token.toLowerCase()) ?? 0n),
  }
  return Object.assign(chain, { state })
}

/** A facilitator that agrees with everything until `verifies` or `settles` say otherwise. */
export function makeFakeFacilitator() {
  const state = {
    networks: new Set<string>(['eip155:84532', 'eip155:11155111', 'eip155:31337']),
    verified: [] as { payload: PaymentPayload; requirements: PaymentRequirements }[],
    settled: [] as { payload: PaymentPayload; requirements: PaymentRequirements }[],
    verifies: async (): Promise<VerifyOutcome> => ({ kind: 'valid' }),
    settles: async (count: number): Promise<SettleOutcome> => ({
      kind: 'settled',
      transaction: transactionHash(count),
    }),
  }
  const facilitator: Facilitator = {
    supportedNetworks: async () => state.networks,
    verify: async (payload, requirements) => {
      state.verified.push({ payload, requirements })
      return state.verifies()
    },
    settle: async (payload, requirements) => {
      state.settled.push({ payload, requirements })
      return state.settles(state.settled.length)
    },
  }
  return Object.assign(facilitator, { state })
}

/** `0x00…01` for 1. */
export const transactionHash = (count: number): `0x${string}` => `0x${count.toString(16).padStart(64, '0')}`

/** A provider whose runs succeed at once with `output`; `plays` scripts the status of later looks. */
export function makeFakeProvider(clock: { now(): Date }) {
  const state = {
    down: false,
    output: 'a word' as unknown,
    predictTimeMs: 1234 as number | null,
    created: [] as CreatePrediction[],
    predictions: new Map<string, Prediction>(),
    /** What a look at a run says; a test replaces it. */
    plays: (prediction: Prediction): Prediction => prediction,
    createError: null as Error | null,
    files: new Map<string, Uint8Array>(),
  }
  const up = (): void => {
    if (state.down) throw new ProviderError('unavailable', 'the test provider is down')
  }
  const find = (id: string): Prediction => {
    const prediction = state.predictions.get(id)
    if (prediction === undefined) throw new ProviderError('input', 'no such prediction')
    return state.plays(prediction)
  }
  const provider: Provider = {
    async create(request) {
      up()
      if (state.createError !== null) throw state.createError
      state.created.push(request)
      const prediction: Prediction = {
        id: `prediction-${state.created.length}`,
        status: 'succeeded',
        rawStatus: 'succeeded',
        output: state.output,
        error: null,
        lastLog: null,
        predictTimeMs: state.predictTimeMs,
        webhook: request.webhookUrl,
        createdAt: clock.now(),
        dataRemoved: false,
      }
      state.predictions.set(prediction.id, prediction)
      return state.plays(prediction)
    },
    async get(id) {
      up()
      return find(id)
    },
    async cancel(id) {
      up()
      find(id)
    },
    async *list() {
      up()
      for (const prediction of [...state.predictions.values()].reverse()) yield state.plays(prediction)
    },
    async openFile(url) {
      up()
      const bytes = state.files.get(url)
      if (bytes === undefined) throw new ProviderError('input', 'the file is gone')
      return { body: new Blob([new Uint8Array(bytes)]).stream(), length: bytes.length }
    },
    check: async () => up(),
  }
  return Object.assign(provider, { state })
}

/** A store that keeps bytes in memory. */
export function makeFakeStore() {
  const state = { down: false, objects: new Map<string, { bytes: Uint8Array; contentType: string }>() }
  const up = (): void => {
    if (state.down) throw new StorageUnavailable('the test store is down')
  }
  const store: ObjectStore = {
    async put(key, body, meta) {
      up()
      const bytes = new Uint8Array(
        await new Response(body instanceof Uint8Array ? new Uint8Array(body) : body).arrayBuffer(),
      )
      state.objects.set(key, { bytes, contentType: meta.contentType })
    },
    async head(key) {
      up()
      const object = state.objects.get(key)
      return object === undefined ? null : { contentType: object.contentType, length: object.bytes.length }
    },
    async sha256(key) {
      up()
      const object = state.objects.get(key)
      return object === undefined ? null : createHash('sha256').update(object.bytes).digest('hex')
    },
    publicUrl: (key) => `https://cdn.example/${key}`,
    check: async () => up(),
  }
  return Object.assign(store, { state })
}

/** Lets everything pass until `allowed` is false; `taken` tells what was counted. */
export function makeFakeRateLimiter() {
  const state = { allowed: true, taken: [] as string[] }
  const limiter: RateLimiter = {
    async take(name, key) {
      state.taken.push(`${name}:${key}`)
      return { allowed: state.allowed, limit: 20, windowSeconds: 60, retryAfterSeconds: 7 }
    },
  }
  return Object.assign(limiter, { state })
}

/** A database that is away: for code that must not need one, and for outages. */
export const downDatabase: Database = {
  run: async () => Promise.reject(new DatabaseUnavailable('the test database is down')),
  batch: async () => Promise.reject(new DatabaseUnavailable('the test database is down')),
}

/** All fakes at once, wired into `Deps`; `overrides` replaces any of them. */
export function makeTestDeps(overrides: Partial<Deps> = {}) {
  const clock = makeFakeClock()
  const chain = makeFakeChain(clock)
  const facilitator = makeFakeFacilitator()
  const provider = makeFakeProvider(clock)
  const store = makeFakeStore()
  const rateLimiter = makeFakeRateLimiter()
  const log = makeFakeLog()
  const pending: Promise<unknown>[] = []
  const deps: RequestDeps = {
    config: makeTestConfig(),
    database: downDatabase,
    facilitator,
    chain,
    provider,
    store,
    rateLimiter,
    peers: makePeerHealth(),
    now: clock.now,
    newId: randomUUID,
    sleep: async (ms) => clock.advance(ms),
    log,
    waitUntil: (promise) => void pending.push(promise),
    ...overrides,
  }
  return {
    deps,
    clock,
    chain,
    facilitator,
    provider,
    store,
    rateLimiter,
    log,
    settled: () => Promise.allSettled(pending),
  }
}
