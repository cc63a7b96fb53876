import type { Account } from './account.ts'
import type { Budget } from './budget.ts'
import { BudgetError } from './errors.ts'
import { parseAmount, USDC_DECIMALS } from './money.ts'
import { makePatience } from './patience.ts'
import type { OtherToken } from './purchase/choose.ts'
import type { Order, Shop } from './purchase/order.ts'
import { purchase } from './purchase/purchase.ts'
import { makeRun, type Run } from './run.ts'
import { apiOf } from './session/api.ts'
import { browserCookies, type CookieJar, cookieJar } from './session/cookies.ts'
import { makeSessionKeeper, type SessionKeeper } from './session/keeper.ts'
import type { Session } from './session/sign-in.ts'
import { type Fetch, makeTransport, type Transport } from './session/transport.ts'
import { canonicalJson } from './shape.ts'
import { memoryStore, type PaymentStore, type PendingPayment } from './store.ts'
import type {
  Estimate,
  EstimateRequest,
  Health,
  HistoryPage,
  Inference,
  InferenceRequest,
  Model,
  ServiceAccount,
} from './types.ts'

export interface CoinslotOptions {
  /** Where the service is, e.g. `https://coinslot.example`. */
  origin: string
  /** Who signs; without one only `models`, `estimate` and `health` work. */
  account?: Account
  /** Default: the platform's. */
  fetch?: Fetch
  /** Where signed payments are kept until their result is here; default: in memory. */
  store?: PaymentStore
  /** The network to sign in and pay on; default: Ethereum where the service takes it, else the service's first. */
  chainId?: number
  /** The most that one call may cost, a decimal string; default `"1.000000"`. */
  maxUsdc?: string
  /** A limit over many calls. */
  budget?: Budget
  /** Cookies that outlive this object, outside of browsers. */
  cookies?: CookieJar
  /** Tries in a row without news before a call is given up; default 12, about a minute and a half. */
  tries?: number
}

export interface RunOptions {
  /** Replaces the client's own `maxUsdc` for this call. */
  maxUsdc?: string
  /** Pays in another token, e.g. AIC. `maxUsdc` does not bound it, its own `max` does; a budget does not count it and refuses it. */
  payIn?: OtherToken
  /** Signs one more payment where the service asks for it and says that the first is unused (a lapsed quote, say); default no. */
  allowNewPayment?: boolean
  /** Seconds until an unfinished run is given up, its payment kept; default 900. */
  timeoutSeconds?: number
  signal?: AbortSignal
}

export interface HistoryQuery {
  limit?: number
  cursor?: string
  task?: Inference['task']
  status?: Inference['status']
}

export interface Coinslot {
  signIn(): Promise<Session>
  /** Who is signed in, or null. */
  session(): Promise<Session | null>
  models(): Promise<Model[]>
  /** The price before it is asked for; with the caller's discount when signed in. */
  estimate(request: EstimateRequest): Promise<Estimate>
  /** Buys. One signature; the same payment is sent again as often as it takes. */
  run(request: InferenceRequest, options?: RunOptions): Run
  /** Goes on with a kept payment. */
  resume(paymentId: string, options?: RunOptions): Run
  /** Signed payments whose result is not here yet. */
  unfinished(): Promise<PendingPayment[]>
  /** The record of one inference. */
  get(id: string): Promise<Inference>
  history(query?: HistoryQuery): Promise<HistoryPage>
  health(): Promise<Health>
  /** What the service says of itself in `/.well-known/coinslot.json`: its networks, and who signs its receipts. */
  service(): Promise<unknown>
  /** What the signed-in wallet has, may and paid. */
  account(): Promise<ServiceAccount>
  /** The signed receipt of a paid inference, as the service gives it. */
  receipt(id: string): Promise<unknown>
}

const DEFAULT_MAX_USDC = '1.000000'
const DEFAULT_TRIES = 12
const DEFAULT_TIMEOUT_SECONDS = 900

/** A client of one service. Nothing is called or signed before one of its methods is. Throws on an origin or limit that is none. */
export function createCoinslot(options: CoinslotOptions): Coinslot {
  const origin = new URL(options.origin).origin
  const patience = makePatience(options.tries ?? DEFAULT_TRIES)
  const transport = makeTransport({
    origin,
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    ...jarOf(options),
  })
  const keeper = makeSessionKeeper({ transport, patience, account: options.account, chainId: options.chainId })
  const store = options.store ?? memoryStore()
  const maxUsdc = options.maxUsdc ?? DEFAULT_MAX_USDC
  parseAmount(maxUsdc, USDC_DECIMALS)
  const { api, read } = apiOf(transport, patience)

  const run = (body: string, paymentId: string | undefined, wished: RunOptions): Run => {
    const order = orderOf(body, paymentId, { maxUsdc, ...wished }, options.tries ?? DEFAULT_TRIES)
    if (order.payIn !== undefined && options.budget !== undefined) {
      throw new BudgetError('A budget is counted in USDC: pay in USDC, or without a budget.')
    }
    return makeRun(purchase(shopOf(options, transport, store, keeper), order))
  }

  return {
    signIn: keeper.signIn,
    session: keeper.session,
    models: async () => (await (await api.models.$get()).json()).models,
    estimate: async (request) => {
      const init = { body: JSON.stringify(request) }
      return (await api.inference.estimate.$post({}, { init })).json()
    },
    run: (request, wished = {}) => run(canonicalJson(request), undefined, wished),
    resume: (paymentId, wished = {}) => run('', paymentId, wished),
    unfinished: async () => store.list({ origin, payer: keeper.account().address.toLowerCase() }),
    get: (id) => keeper.within(async () => (await api.inference[':id'].$get({ param: { id } })).json()),
    history: ({ limit, ...rest } = {}) => {
      const query = { ...rest, ...(limit !== undefined && { limit: String(limit) }) }
      return keeper.within(async () => (await api.inferences.$get({ query })).json())
    },
    health: async () => (await api.health.$get()).json(),
    account: () => keeper.within(async () => (await api.account.$get()).json()),
    receipt: (id) => keeper.within(() => read(`/api/inference/${encodeURIComponent(id)}/receipt`)),
    service: () => read('/.well-known/coinslot.json'),
  }
}

/** Browsers keep cookies themselves; elsewhere a jar does. */
function jarOf({ cookies }: CoinslotOptions): { cookies: CookieJar; platformCookies: boolean } {
  if (cookies !== undefined) return { cookies, platformCookies: false }
  const isBrowser = typeof document === 'object' && typeof document.cookie === 'string'
  return { cookies: isBrowser ? browserCookies(document) : cookieJar(), platformCookies: isBrowser }
}

function shopOf(options: CoinslotOptions, transport: Transport, store: PaymentStore, keeper: SessionKeeper): Shop {
  const { signedIn, signIn } = keeper
  return { transport, store, account: keeper.account(), budget: options.budget, signedIn, signIn }
}

function orderOf(
  body: string,
  paymentId: string | undefined,
  wished: RunOptions & { maxUsdc: string },
  tries: number,
): Order {
  const { maxUsdc, payIn, allowNewPayment = false, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, signal } = wished
  return {
    body,
    paymentId,
    maxUsdc,
    ...(payIn !== undefined && { payIn }),
    allowNewPayment,
    timeoutMs: timeoutSeconds * 1_000,
    patience: makePatience(tries, signal),
    signal,
  }
}
