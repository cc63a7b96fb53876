import { getAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import type { PaymentRequired, PaymentRequirements } from '../../worker/payments/schemas.ts'

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** What the tests need of a request. */
export interface Call {
  method?: string
  body?: string
  headers?: Record<string, string>
}

export interface SignOverrides {
  value?: string
  to?: Hex
  from?: Hex
  validAfter?: string
  validBefore?: string
  nonce?: Hex
  domain?: { name?: string; version?: string; chainId?: number; verifyingContract?: Hex }
  /** Changes of `accepted`, the client's claim of what it pays. */
  accepted?: Record<string, unknown>
  signature?: Hex
  extensions?: unknown
}

const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

export const encodeHeader = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
export const decodeHeader = (value: string | null): unknown => JSON.parse(Buffer.from(value ?? '', 'base64').toString())

/** The authorization's nonce in a `Payment-Signature` header. */
export function nonceOf(header: string): string {
  const payment = decodeHeader(header) as { payload: { authorization: { nonce: string } } }
  return payment.payload.authorization.nonce
}

/** A buyer as a program would be one: cookies, CSRF token, sign-in, signing; any HTTP client underneath. */
export function makeBuyer(options: {
  fetch: Fetch
  origin: string
  chainId: number
  privateKey?: Hex
  now?: () => Date
}) {
  const account = privateKeyToAccount(options.privateKey ?? generatePrivateKey())
  const cookies = new Map<string, string>()
  const now = options.now ?? (() => new Date())

  async function call(path: string, init: Call = {}): Promise<Response> {
    const csrf = cookies.get('csrf') ?? cookies.get('__Host-csrf')
    const headers: Record<string, string> = {
      ...(cookies.size > 0 ? { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
      ...(csrf === undefined ? {} : { 'X-CSRF-Token': csrf }),
      ...(init.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...init.headers,
    }
    const response = await options.fetch(new URL(path, options.origin).href, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  async function siweMessage(overrides: Partial<Parameters<typeof createSiweMessage>[0]> = {}): Promise<string> {
    const { nonce }: { nonce: string } = JSON.parse(await (await call('/api/auth/nonce')).text())
    return createSiweMessage({
      address: account.address,
      chainId: options.chainId,
      domain: new URL(options.origin).host,
      nonce,
      uri: options.origin,
      version: '1',
      issuedAt: now(),
      ...overrides,
    })
  }

  async function signIn(): Promise<Response> {
    const message = await siweMessage()
    const signature = await account.signMessage({ message })
    return call('/api/auth/verify', { method: 'POST', body: JSON.stringify({ message, signature }) })
  }

  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    call('/api/inference', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers })

  async function quote(body: unknown): Promise<PaymentRequired> {
    const response = await post(body)
    if (response.status !== 402) throw new Error(`expected 402, got ${response.status}: ${await response.text()}`)
    return decodeHeader(response.headers.get('Payment-Required')) as PaymentRequired
  }

  /** The `Payment-Signature` header that pays one entry of a challenge. */
  async function sign(
    required: PaymentRequired,
    overrides: SignOverrides = {},
    entry?: PaymentRequirements,
  ): Promise<string> {
    const accepted = entry ?? required.accepts[0]
    if (accepted === undefined) throw new Error('nothing to pay')
    const seconds = Math.floor(now().getTime() / 1000)
    const authorization = {
      from: overrides.from ?? account.address,
      to: overrides.to ?? accepted.payTo,
      value: overrides.value ?? accepted.amount,
      validAfter: overrides.validAfter ?? '0',
      validBefore: overrides.validBefore ?? String(seconds + 60),
      nonce: overrides.nonce ?? generatePrivateKey(),
    }
    const signature = overrides.signature ?? (await signAuthorization(accepted, authorization, overrides))
    return encodeHeader({
      x402Version: 2,
      payload: { authorization, signature },
      accepted: { ...accepted, ...overrides.accepted },
      resource: required.resource,
      extensions: 'extensions' in overrides ? overrides.extensions : required.extensions,
    })
  }

  function signAuthorization(
    accepted: PaymentRequirements,
    authorization: Record<'from' | 'to' | 'nonce', Hex> & Record<'value' | 'validAfter' | 'validBefore', string>,
    { domain }: SignOverrides,
  ): Promise<Hex> {
    return account.signTypedData({
      domain: {
        name: accepted.extra.name,
        version: accepted.extra.version,
        chainId: Number(accepted.network.slice('eip155:'.length)),
        verifyingContract: getAddress(accepted.asset),
        ...domain,
      },
      types,
      primaryType: 'TransferWithAuthorization',
      message: {
        ...authorization,
        value: BigInt(authorization.value),
        validAfter: BigInt(authorization.validAfter),
        validBefore: BigInt(authorization.validBefore),
      },
    })
  }

  const pay = (body: unknown, header: string, headers: Record<string, string> = {}): Promise<Response> =>
    post(body, { 'Payment-Signature': header, ...headers })

  /** Quote, sign and pay in one go. */
  async function buy(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return pay(body, await sign(await quote(body)), headers)
  }

  return { account, cookies, call, siweMessage, signIn, post, quote, sign, pay, buy }
}

export type Buyer = ReturnType<typeof makeBuyer>
