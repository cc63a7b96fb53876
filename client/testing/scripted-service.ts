import type { Budget } from '../src/budget.ts'
import { toHeader } from '../src/encoding.ts'
import { USDC } from '../src/networks.ts'
import type { Fetch } from '../src/session/transport.ts'

/** What the service does with one paid call, or one request for the record: it answers, or breaks the connection. */
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
  /** The answer of `/api/account`. */
  account?: unknown
  /** The chains where it lets any account sign in; default Base. */
  chainIds?: readonly number[]
  /** The networks of its offers; default Base. */
  networks?: readonly string[]
}

/**
 * A service that lets any account sign in and asks the same price for every call. It answers paid calls and requests for records
 * from the script, in its order.
 */
export function scriptedService(script: readonly Scripted[], options: ServiceOptions = {}) {
  const { chainIds = [8453] } = options
  const left = [...script]
  /** `Payment-Signature` of every paid call. */
  const sent: string[] = []
  /** Paths of the requests for records. */
  const looks: string[] = []
  let quotes = 0
  let signIns = 0

  const fetch: Fetch = async (url, { method, headers, body }) => {
    const { pathname } = new URL(url)
    if (pathname === '/api/auth/nonce')
      return json(200, { nonce: 'abcdefgh12345678' }, { 'Set-Cookie': 'csrf=t; Path=/' })
    if (pathname === '/api/auth/session') return json(200, { address: null, chainId: null })
    if (pathname === '/api/account') return json(200, options.account ?? { chainId: 8453, balances: { usdc: null } })
    if (pathname === '/api/auth/verify') {
      const isServed = chainIds.some((chainId) => String(body).includes(`Chain ID: ${chainId}\\n`))
      if (!isServed) return json(400, { code: 'unsupported_chain', supportedChainIds: chainIds })
      signIns += 1
      return json(200, {})
    }
    const payment = new Headers(headers).get('Payment-Signature')
    if (method === 'POST' && payment === null) {
      quotes += 1
      return paymentRequired(options)
    }
    if (payment === null) looks.push(pathname)
    else sent.push(payment)
    return play(left.shift())
  }

  return { fetch, sent, looks, counts: () => ({ quotes, signIns, left: left.length }) }
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })

/** A 402 with one offer on each network. */
function paymentRequired({ amount = '10000', networks = ['eip155:8453'] }: ServiceOptions): Response {
  const accepts = networks.map((network) => ({
    scheme: 'exact',
    network,
    asset: USDC[network],
    amount,
    payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2', paymentFlow: 'upfront' },
  }))
  const required = {
    x402Version: 2,
    accepts,
    resource: { url: 'https://a/api/inference' },
    extensions: { quote: { info: { token: 'q' } } },
  }
  return json(402, { code: 'payment_required' }, { 'Payment-Required': toHeader(required) })
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
