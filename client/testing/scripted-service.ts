import { fromHeader, toHeader } from '../../protocol/base64.ts'
import { usdcOf } from '../../protocol/networks.ts'
import type { Budget } from '../src/budget.ts'
import { isFields, textAt } from '../src/json-fields.ts'
import type { Fetch } from '../src/session/transport.ts'

/** The service's reaction to one paid call, or one request for the record: it answers, or breaks the connection. */
export type Scripted = { status: number; body: unknown; headers?: Record<string, string> } | { stream: string } | 'cut'

export const RESULT = {
  id: '7a46d6cf-d8fe-4820-8ddf-0884a3aaa2da',
  status: 'succeeded',
  output: { type: 'text', text: 'hello' },
  metrics: { estimatedCostUsdc: '0.010000' },
} as const

export const problem = (status: number, members: Record<string, unknown>): Scripted => ({ status, body: members })
export const done: Scripted = { status: 200, body: RESULT }

interface ServiceOptions {
  /** Atomic units; default a cent. */
  amount?: string
  /** The price for a wallet that is known, in atomic units; default: the same. */
  ownAmount?: string
  /** The answer of `/api/account`. */
  account?: unknown
  /** The chains where any account is accepted; default Base. */
  chainIds?: readonly number[]
  /** Every call has the session of a page's cookie, and no challenge is sent. */
  hasSession?: boolean
  /** The networks of its offers; default Base. */
  networks?: readonly string[]
  /** The token of its offers; default USDC. */
  asset?: string
  /** Further extensions of its 402s. */
  extensions?: Record<string, unknown>
  /** Who signs its receipts and offers; default: it says no one. */
  signer?: string
}

/**
 * A service that accepts any account and asks the same price for every call. It answers paid calls and requests for records from the
 * script, in its order. Proofs are counted by their signatures and not checked.
 */
export function scriptedService(script: readonly Scripted[], options: ServiceOptions = {}) {
  const { chainIds = [8453], hasSession = false } = options
  const left = [...script]
  /** `Payment-Signature` of every paid call. */
  const sent: string[] = []
  /** Paths of the requests for records. */
  const looks: string[] = []
  /** Every call, e.g. `POST /api/inference`; with ` proven` where it has a proof. */
  const calls: string[] = []
  let quotes = 0
  let signIns = 0
  let challenges = 0
  const isKnown = (proof: string | undefined): boolean => hasSession || proof !== undefined

  /** The members of a 402 for a wallet: a challenge with a new nonce, or with that of the proof, and a name for the payment. */
  const signIn = (proof: string | undefined) => {
    if (hasSession) return {}
    if (proof === undefined) challenges += 1
    return {
      ...(proof === undefined && { 'payment-identifier': { info: { required: false }, schema: {} } }),
      'sign-in-with-x': {
        info: { nonce: proof ?? `challenge${challenges}` },
        supportedChains: chainIds.map((chainId) => ({ chainId: `eip155:${chainId}`, type: 'eip191' })),
      },
    }
  }

  const fetch: Fetch = async (url, { method, headers, body }) => {
    const { pathname } = new URL(url)
    const proof = provenNonce(headers)
    calls.push(`${method} ${pathname}${proof === undefined ? '' : ' proven'}`)
    if (pathname === '/.well-known/coinslot.json')
      return json(200, { receipts: options.signer === undefined ? null : { signer: options.signer } })
    if (pathname === '/api/auth/nonce') return json(200, { nonce: 'abcdefgh12345678' })
    if (pathname === '/api/auth/session') return json(200, { address: null, chainId: null })
    if (method === 'GET' && !isKnown(proof)) return json(402, { nextAction: 'sign_in', extensions: signIn(proof) })
    if (pathname === '/api/inference/estimate')
      return json(200, { estimatedCostUsdc: '0.010000', estimatedSeconds: 10 })
    if (pathname === '/api/account') return json(200, options.account ?? PLAIN_ACCOUNT)
    if (pathname === '/api/auth/verify') {
      const isServed = chainIds.some((chainId) => String(body).includes(`Chain ID: ${chainId}\\n`))
      if (!isServed) return json(400, { code: 'unsupported_chain', supportedChainIds: chainIds })
      signIns += 1
      return json(200, {})
    }
    const payment = new Headers(headers).get('Payment-Signature')
    if (method === 'POST' && payment === null) {
      quotes += 1
      const amount = isKnown(proof) ? options.ownAmount : undefined
      return paymentRequired({ ...options, ...(amount !== undefined && { amount }) }, signIn(proof))
    }
    if (payment === null) looks.push(pathname)
    else sent.push(payment)
    return play(left.shift())
  }

  return { fetch, sent, looks, calls, counts: () => ({ quotes, signIns, left: left.length }) }
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })

/** Nothing is known of its balance. It has no discount. */
export const PLAIN_ACCOUNT = { chainId: 8453, balances: { usdc: null }, discountPct: '0.00' }

/** The nonce in the proof of a call. */
function provenNonce(headers: RequestInit['headers']): string | undefined {
  const proof = fromHeader(new Headers(headers).get('SIGN-IN-WITH-X') ?? '')
  return isFields(proof) ? textAt(proof, 'nonce') : undefined
}

/** A 402 with one offer on each network. */
function paymentRequired(
  { amount = '10000', networks = ['eip155:8453'], asset, extensions = {} }: ServiceOptions,
  signIn: Record<string, unknown>,
): Response {
  const accepts = networks.map((network) => ({
    scheme: 'exact',
    network,
    asset: asset ?? usdcOf(network)?.address,
    amount,
    payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2', paymentFlow: 'upfront' },
  }))
  const required = {
    x402Version: 2,
    accepts,
    resource: { url: 'https://a/api/inference' },
    extensions: { quote: { info: { token: 'q' } }, ...extensions, ...signIn },
  }
  return json(
    402,
    { code: 'payment_required', nextAction: 'sign_new_payment' },
    { 'Payment-Required': toHeader(required) },
  )
}

/** Answers with an entry of the script, or throws for a cut connection. */
function play(scripted: Scripted | undefined): Response {
  if (scripted === undefined) throw new Error('the script is over')
  if (scripted === 'cut') throw new TypeError('fetch failed')
  if ('stream' in scripted) return new Response(scripted.stream, { headers: { 'Content-Type': 'text/event-stream' } })
  return json(scripted.status, scripted.body, scripted.headers)
}

/** Server-sent events, each a name and its data. */
export const stream = (...events: [string, unknown][]): Scripted => ({
  stream: events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
})

/** A budget without a limit that records its calls. */
export function recordingBudget(): { budget: Budget; calls: string[] } {
  const calls: string[] = []
  const budget: Budget = {
    reserve: async ({ amountAtomic }) => void calls.push(`reserve ${amountAtomic}`),
    cancel: async () => void calls.push('cancel'),
  }
  return { budget, calls }
}
