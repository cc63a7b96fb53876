import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import * as z from 'zod'
import type { PaymentRequired, PaymentRequirements } from '../../worker/x402/schemas.ts'
import { CookieJar, lowerCased } from './cookies.ts'
import { decodeHeader, type SignOverrides, signPayment } from './sign-payment.ts'
import { siweText } from './siwe.ts'

/** The next action of an answer that is a problem. */
export const problemSchema = z.looseObject({
  code: z.string().optional(),
  retryAfterSeconds: z.number().optional(),
})

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** The members of a request that the tests need. */
export interface Call {
  method?: string
  body?: string
  headers?: Record<string, string>
}

export interface BuyerOptions {
  fetch: Fetch
  origin: string
  chainId: number
  /** Default: a new key. */
  privateKey?: Hex
  now?: () => Date
}

/** A program that buys: cookies, CSRF token, sign-in and signing, over any HTTP client. The tests' only one. */
export function makeBuyer({ fetch, origin, chainId, privateKey, now = () => new Date() }: BuyerOptions) {
  const account = privateKeyToAccount(privateKey ?? generatePrivateKey())
  const cookies = new CookieJar()

  async function call(path: string, init: Call = {}): Promise<Response> {
    const type = init.body === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { ...cookies.headers, ...type, ...lowerCased(init.headers) }
    const response = await fetch(new URL(path, origin).href, { ...init, headers })
    cookies.keep(response.headers)
    return response
  }

  /** The body of a sign-in with a new nonce. */
  async function signInBody(): Promise<string> {
    const { nonce }: { nonce: string } = JSON.parse(await (await call('/api/auth/nonce')).text())
    const message = siweText({ address: account.address, chainId, origin, nonce, issuedAt: now() })
    return JSON.stringify({ message, signature: await account.signMessage({ message }) })
  }

  const signIn = async (): Promise<Response> => call('/api/auth/verify', { method: 'POST', body: await signInBody() })

  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    call('/api/inference', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers })

  async function quote(body: unknown): Promise<PaymentRequired> {
    const response = await post(body)
    if (response.status !== 402) throw new Error(`expected 402, got ${response.status}: ${await response.text()}`)
    return decodeHeader(response.headers.get('Payment-Required')) as PaymentRequired
  }

  const sign = (
    required: PaymentRequired,
    overrides: SignOverrides = {},
    entry?: PaymentRequirements,
  ): Promise<string> => signPayment(account, required, { ...overrides, now: now(), entry })

  const pay = (body: unknown, header: string, headers: Record<string, string> = {}): Promise<Response> =>
    post(body, { 'Payment-Signature': header, ...headers })

  /** Quotes, signs and pays. */
  async function buy(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return pay(body, await sign(await quote(body)), headers)
  }

  return { account, cookies, call, signInBody, signIn, post, quote, sign, pay, buy }
}

export type Buyer = ReturnType<typeof makeBuyer>

/** One server-sent event with its data parsed. */
export interface StreamedEvent {
  event: string
  data: unknown
}

/** Resolves with every event of a stream as soon as one of them has this name, before the stream ends. Then `ended` has them all. */
export async function readUntil(response: Response, name: string): Promise<{ ended: Promise<StreamedEvent[]> }> {
  const [watched, read] = (response.body ?? new ReadableStream()).tee()
  let text = ''
  for await (const piece of watched.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (text.includes(`event: ${name}\n`)) return { ended: readEvents(new Response(read)) }
  }
  throw new Error(`the stream ended without ${name}: ${text}`)
}

/** Every event of a stream, once it has ended. Comments are passed over. */
export async function readEvents(response: Response): Promise<StreamedEvent[]> {
  const blocks = (await response.text()).split('\n\n').filter((block) => /^event:/m.test(block))
  return blocks.map((block) => {
    const lines = block.split('\n')
    const field = (name: string): string =>
      lines
        .filter((line) => line.startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).trim())
        .join('\n')
    return { event: field('event'), data: JSON.parse(field('data')) }
  })
}
