import type { Account } from './account.ts'
import type { Budget } from './budget.ts'
import { type Buyer, DEFAULT_TRIES, makeBuyer } from './buyer.ts'
import { parseAmount, USDC_DECIMALS } from './money.ts'
import type { Funds } from './purchase/context.ts'
import { makeRetrier, once, type Sleep } from './retry.ts'
import { apiOf } from './session/api.ts'
import { browserCookies, type CookieJar, cookieJar } from './session/cookies.ts'
import { callersSession, makeSessionManager } from './session/session-manager.ts'
import type { Session } from './session/sign-in.ts'
import { type Fetch, makeTransport } from './session/transport.ts'
import { memoryStore, type PaymentStore } from './store.ts'
import type { Api, Estimate, EstimateRequest, Health, HistoryPage, Inference, Model, ServiceAccount } from './types.ts'

export interface CoinslotOptions {
  /** The service's address, e.g. `https://coinslot.example`. */
  origin: string
  /** The account that signs. Without one only `models`, `estimate` and `health` work. */
  account?: Account
  /** Default: the platform's. */
  fetch?: Fetch
  /** Where signed payments are kept until they have a result. Default: in memory. */
  store?: PaymentStore
  /** The only chain to sign in and to pay on. Default: Ethereum where the service takes it, else its first; pays where it signed in. */
  chainId?: number
  /** The most that one call may cost, a decimal string; default `"1.000000"`. */
  maxUsdc?: string
  /** A limit over many calls. */
  budget?: Budget
  /** Cookies that outlive this object, outside of browsers. */
  cookies?: CookieJar
  /** Failed tries in a row after which a call stops. Default 12, about a minute and a half. `Infinity` never stops. */
  tries?: number
  /** How to wait. An app may end a wait early, e.g. when the browser is online again. */
  sleep?: Sleep
  /**
   * Who signs in: the client `itself` (default) whenever a call needs a session, or the `caller` by `signIn`, where a person approves
   * each signature. Then a call without a session throws `ProblemError` with `unauthenticated`, or `SignedOutError` once something
   * was signed.
   */
  signsIn?: 'itself' | 'caller'
}

export interface HistoryQuery {
  limit?: number
  cursor?: string
  task?: Inference['task']
  status?: Inference['status']
  /** A text to find in prompts, upper or lower case. A page of a search may be short, or empty, and still have a `nextCursor`. */
  q?: string
}

export interface Coinslot extends Buyer {
  signIn(): Promise<Session>
  /** The current session, or null. */
  session(): Promise<Session | null>
  models(): Promise<Model[]>
  /** An estimate of the price, with the caller's discount when signed in. */
  estimate(request: EstimateRequest): Promise<Estimate>
  /** The record of one inference. */
  get(id: string): Promise<Inference>
  history(query?: HistoryQuery): Promise<HistoryPage>
  health(): Promise<Health>
  /** The content of `/.well-known/coinslot.json`: the service's networks, and the signer of its receipts. */
  service(): Promise<unknown>
  /** Balances, tier and payments of the signed-in wallet. */
  account(): Promise<ServiceAccount>
  /** The signed receipt of a paid inference, as the service sends it. */
  receipt(id: string): Promise<unknown>
}

/**
 * A client of one service. Creating a client makes no request and signs nothing. Throws if `origin` or `maxUsdc` is invalid.
 *
 * @example
 * const coinslot = createCoinslot({ origin: 'https://coinslot.example', account })
 * const { output } = await coinslot.run({ task: 'text-to-text', model, input: { prompt: 'Hello' } }).result()
 */
export function createCoinslot(options: CoinslotOptions): Coinslot {
  const retrier = makeRetrier(options.tries ?? DEFAULT_TRIES, undefined, options.sleep)
  const transport = makeTransport({
    origin: new URL(options.origin).origin,
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    ...jarOf(options),
  })
  const { account, chainId, store = memoryStore(), budget, maxUsdc, tries, sleep } = options
  const manager = makeSessionManager({ transport, retrier, account, chainId })
  const isCallers = options.signsIn === 'caller'
  const session = isCallers ? callersSession(transport, retrier) : manager
  const withSession = isCallers ? <Value>(call: () => Promise<Value>): Promise<Value> => call() : manager.withSession
  const { api, read } = apiOf(transport, retrier)
  const funds = fundsReader(apiOf(transport, once).api)
  const buyer = makeBuyer({
    transport,
    account: manager.account,
    store,
    session,
    chainId,
    budget,
    funds,
    maxUsdc,
    tries,
    sleep,
  })

  return {
    ...buyer,
    signIn: manager.signIn,
    session: manager.currentSession,
    models: async () => (await (await api.models.$get()).json()).models,
    estimate: async (request) => {
      const init = { body: JSON.stringify(request) }
      return (await api.inference.estimate.$post({}, { init })).json()
    },
    get: (id) => withSession(async () => (await api.inference[':id'].$get({ param: { id } })).json()),
    history: ({ limit, ...rest } = {}) => {
      const query = { ...rest, ...(limit !== undefined && { limit: String(limit) }) }
      return withSession(async () => (await api.inferences.$get({ query })).json())
    },
    health: async () => (await api.health.$get()).json(),
    account: () => withSession(async () => (await api.account.$get()).json()),
    receipt: (id) => withSession(() => read(`/api/inference/${encodeURIComponent(id)}/receipt`)),
    service: () => read('/.well-known/coinslot.json'),
  }
}

/** Reads the balance without retries. An unknown balance must not delay a purchase. */
const fundsReader = (api: Api) => async (): Promise<Funds | null> => {
  try {
    const { chainId, balances } = await (await api.account.$get()).json()
    return balances.usdc === null
      ? null
      : { network: `eip155:${chainId}`, usdc: parseAmount(balances.usdc, USDC_DECIMALS) }
  } catch {
    return null
  }
}

/** Browsers keep cookies themselves. Elsewhere a jar keeps them. */
function jarOf({ cookies }: CoinslotOptions): { cookies: CookieJar; platformCookies: boolean } {
  if (cookies !== undefined) return { cookies, platformCookies: false }
  const isBrowser = typeof document === 'object' && typeof document.cookie === 'string'
  return { cookies: isBrowser ? browserCookies(document) : cookieJar(), platformCookies: isBrowser }
}
