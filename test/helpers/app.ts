import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import * as z from 'zod'
import { createApp } from '../../worker/app.ts'
import type { Deps } from '../../worker/context.ts'
import { TEST_ORIGIN } from './config.ts'
import { makeTestDeps } from './deps.ts'
import { assertDocumented } from './documented.ts'

export const K1 = privateKeyToAccount(`0x${'11'.repeat(32)}`)
export const K2 = privateKeyToAccount(`0x${'22'.repeat(32)}`)

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The parsed body; undefined when it is no JSON. */
  json: unknown
}

/** A client with a cookie jar that speaks to the app in this process. */
export interface TestClient {
  cookies: Map<string, string>
  send(method: string, path: string, options?: { body?: unknown; headers?: Record<string, string> }): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** Sends JSON with the CSRF cookie's value as the header. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Whole sign-in, on Base Sepolia unless told otherwise. */
  signIn(account: PrivateKeyAccount, chainId?: number): Promise<Answer>
}

/** The real app over fakes; `overrides` replaces any of the deps. */
export function makeTestApp(overrides: Partial<Deps> = {}) {
  const kit = makeTestDeps(overrides)
  const app = createApp(() => kit.deps, { makeLog: () => kit.log })
  return { ...kit, app, client: (address = '203.0.113.7') => makeClient(app, kit.deps, address) }
}

type App = ReturnType<typeof createApp>

function makeClient(app: App, deps: Deps, address: string): TestClient {
  const origin = deps.config.publicOrigins[0]
  const cookies = new Map<string, string>()
  const send: TestClient['send'] = async (method, path, { body, headers = {} } = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const init: RequestInit = {
      method,
      headers: { 'CF-Connecting-IP': address, ...(cookie !== '' && { Cookie: cookie }), ...headers },
    }
    if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await app.request(origin + path, init, {})
    keep(cookies, response.headers.getSetCookie())
    const text = await response.text()
    assertDocumented(method, origin + path, { status: response.status, headers: response.headers, text })
    return { status: response.status, headers: response.headers, text, json: parse(text) }
  }
  const client: TestClient = {
    cookies,
    send,
    get: (path, headers) => send('GET', path, headers === undefined ? {} : { headers }),
    post: (path, body, headers) => {
      const token = cookies.get('__Host-csrf') ?? cookies.get('csrf')
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
      return send('POST', path, { body, headers: { ...type, ...(token && { 'X-CSRF-Token': token }), ...headers } })
    },
    async signIn(account, chainId = 84532) {
      const { nonce } = z.object({ nonce: z.string() }).parse((await client.get('/api/auth/nonce')).json)
      const message = siweText({ address: account.address, chainId, nonce, issuedAt: deps.now() })
      return client.post('/api/auth/verify', { message, signature: await account.signMessage({ message }) })
    },
  }
  return client
}

function keep(cookies: Map<string, string>, lines: readonly string[]): void {
  for (const line of lines) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    if (/; max-age=0(;|$)/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface SiweFields {
  address: string
  nonce: string
  chainId?: number | string
  domain?: string
  uri?: string
  version?: string
  statement?: string
  issuedAt?: Date
  expirationTime?: Date
  notBefore?: Date
}

/** An EIP-4361 text, as a wallet would show it. */
export function siweText(fields: SiweFields): string {
  const { origin, host } = new URL(TEST_ORIGIN)
  const lines = [
    `${fields.domain ?? host} wants you to sign in with your Ethereum account:`,
    fields.address,
    '',
    ...(fields.statement === undefined ? [''] : [fields.statement, '']),
    `URI: ${fields.uri ?? origin}`,
    `Version: ${fields.version ?? '1'}`,
    `Chain ID: ${fields.chainId ?? 84532}`,
    `Nonce: ${fields.nonce}`,
    `Issued At: ${(fields.issuedAt ?? new Date()).toISOString()}`,
  ]
  if (fields.expirationTime) lines.push(`Expiration Time: ${fields.expirationTime.toISOString()}`)
  if (fields.notBefore) lines.push(`Not Before: ${fields.notBefore.toISOString()}`)
  return lines.join('\n')
}
