import { hc } from 'hono/client'
import { AIC_DECIMALS, parseAmount, USDC_DECIMALS } from '../../protocol/money.ts'
import type { AppType } from '../../worker/app.ts'
import type { Account } from './account.ts'
import type { Budget } from './budget.ts'
import { type Buyer, DEFAULT_TRIES, makeBuyer } from './buyer.ts'
import { CoinslotError } from './errors.ts'
import { parseJson } from './json-fields.ts'
import { ProblemError, readProblem } from './problem.ts'
import type { PayerReader } from './purchase/context.ts'
import { checkOffers, type RecoverSigner } from './purchase/signed-offer.ts'
import type { Retrier } from './retry.ts'
import { makeRetrier, once, type Sleep } from './retry.ts'
import { type SignedRequests, signRequests } from './session/signed-requests.ts'
import { type Fetch, makeTransport, type Transport, textOf } from './session/transport.ts'
import { memoryStore, type PaymentStore } from './store.ts'
import type { Estimate, EstimateRequest, Health, HistoryPage, Inference, Model, ServiceAccount } from './types.ts'

export interface CoinslotOptions {
  /** The service's address, e.g. `https://coinslot.example`. */
  origin: string
  /** The account that signs payments, and each call that needs a proof of the wallet. Without one only public calls work. */
  account?: Account
  /** Default: the platform's. */
  fetch?: Fetch
  /** Where signed payments are kept until they have a result. Default: in memory. */
  store?: PaymentStore
  /** The only chain to pay on, and the one to prove the wallet on. Default: Ethereum where the service takes it, else its first. */
  chainId?: number
  /** The most that one call may cost, a decimal string; default `"1.000000"`. */
  maxUsdc?: string
  /** A limit over many calls. */
  budget?: Budget
  /**
   * Checks that the service's own key signed its offers, before anything is signed: `recoverOfferSigner` of the `node` part. Without
   * it a signed offer is only compared with the price.
   */
  recoverOfferSigner?: RecoverSigner
  /** Failed tries in a row after which a call stops. Default 12, about a minute and a half. `Infinity` never stops. */
  tries?: number
  /** How to wait. An app may end a wait early, e.g. when the browser is online again. */
  sleep?: Sleep
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
  /** The models, with the prices for anyone. */
  models(): Promise<Model[]>
  /** An estimate of the price, with the account's discount where the client has one. */
  estimate(request: EstimateRequest): Promise<Estimate>
  /** The record of one inference. */
  get(id: string): Promise<Inference>
  history(query?: HistoryQuery): Promise<HistoryPage>
  health(): Promise<Health>
  /** The content of `/.well-known/coinslot.json`: the service's networks, and the signer of its receipts. */
  service(): Promise<unknown>
  /** Balances, tier and payments of the account. */
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
    // A page's session is not this client's. Elsewhere nothing sends cookies, and some platforms refuse the option.
    ...(typeof document === 'object' && { credentials: 'omit' }),
  })
  const { chainId, store = memoryStore(), budget, maxUsdc, tries, sleep } = options
  const account = (): Account => {
    if (options.account !== undefined) return options.account
    throw new CoinslotError('this needs an account: give `account` to createCoinslot')
  }
  const proof = signRequests(transport, account, chainId)
  const { origin } = transport
  const payer = payerReader(proof, origin)
  const anyone = apiOf(transport, retrier)
  const own = apiOf({ origin, call: proof.call }, retrier)
  const service = () => anyone.read('/.well-known/coinslot.json')
  const offerCheck = checkOffers(options.recoverOfferSigner, service)

  return {
    ...makeBuyer({ transport, account, store, proof, chainId, budget, payer, maxUsdc, tries, sleep, offerCheck }),
    models: async () => (await (await anyone.api.models.$get()).json()).models,
    estimate: async (request) => {
      // Anyone is answered, so nothing asks for a proof.
      if (options.account !== undefined) await retrier.retry(proof.prepare)
      const { api } = options.account === undefined ? anyone : own
      const init = { body: JSON.stringify(request) }
      return (await api.inference.estimate.$post({}, { init })).json()
    },
    get: async (id) => (await own.api.inference[':id'].$get({ param: { id } })).json(),
    history: async ({ limit, ...rest } = {}) => {
      const query = { ...rest, ...(limit !== undefined && { limit: String(limit) }) }
      return (await own.api.inferences.$get({ query })).json()
    },
    health: async () => (await anyone.api.health.$get()).json(),
    account: async () => (await own.api.account.$get()).json(),
    receipt: (id) => own.read(`/api/inference/${encodeURIComponent(id)}/receipt`),
    service,
  }
}

/** A balance in atomic units; null when the service does not know it. */
const readBalance = (written: string | null | undefined, decimals: number): bigint | null =>
  written == null ? null : parseAmount(written, decimals)

/** Reads balances and discount of the account. */
function payerReader(proof: SignedRequests, origin: string): PayerReader {
  const { api } = apiOf({ origin, call: proof.call }, once)
  return {
    isReady: proof.isReady,
    read: async (challenge) => {
      proof.use(challenge)
      try {
        const { chainId, balances, heldAic, discountPct } = await (await api.account.$get()).json()
        return {
          network: `eip155:${chainId}`,
          usdc: readBalance(balances.usdc, USDC_DECIMALS),
          wrappedAic: readBalance(balances.aic, AIC_DECIMALS),
          aic: readBalance(heldAic, AIC_DECIMALS),
          hasDiscount: Number(discountPct) !== 0,
        }
      } catch {
        return null
      }
    },
  }
}

/** `/api/health` reports a degraded service with 503, which is an answer too. */
const isAnswer = (path: string, response: Response): boolean =>
  response.ok || (path === '/api/health' && response.status === 503)

/**
 * The service's typed routes, for calls that may be repeated. They throw `ProblemError` unless the answer is 2xx with JSON, and
 * `ConnectionError` without a complete answer.
 */
function apiOf(transport: Pick<Transport, 'origin' | 'call'>, retrier: Retrier) {
  const call = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
    retrier.retry(async () => {
      const url = new URL(input instanceof Request ? input.url : input)
      const body = init?.body
      const response = await transport.call(url.pathname + url.search, {
        method: init?.method ?? 'GET',
        ...(typeof body === 'string' && { body }),
      })
      const text = await textOf(response)
      const { status, headers } = response
      const json = parseJson(text)
      // A page, e.g. a Wi-Fi's sign-in, is not an answer of the service, whatever its status.
      if (json !== undefined && isAnswer(url.pathname, response)) return new Response(text, { status, headers })
      throw new ProblemError(readProblem(json, status, headers.get('retry-after')))
    })
  const { api } = hc<AppType>(transport.origin, { fetch: call })
  const read = async (path: string): Promise<unknown> => (await call(new URL(path, transport.origin))).json()
  return { api, read }
}
