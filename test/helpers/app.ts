import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import * as z from 'zod'
import { createApp } from '../../worker/app.ts'
import type { Deps } from '../../worker/domain/deps.ts'
import { CookieJar, lowerCased, sealFor } from './cookies.ts'
import { makeTestDeps } from './deps.ts'
import { assertDocumented } from './documented.ts'
import { siweText } from './siwe.ts'

export const K1 = privateKeyToAccount(`0x${'11'.repeat(32)}`)
export const K2 = privateKeyToAccount(`0x${'22'.repeat(32)}`)

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The parsed body; undefined if it is not JSON. */
  json: unknown
}

/** A client with cookies, for the app in this process. */
export interface TestClient {
  cookies: CookieJar
  send(method: string, path: string, options?: { body?: unknown; headers?: Record<string, string> }): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** Sends JSON with the CSRF cookie's value as the header. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Signs in, by default on Base Sepolia. */
  signIn(account: PrivateKeyAccount, chainId?: number): Promise<Answer>
}

/** The real app over fakes; `overrides` replaces any of the deps. */
export function makeTestApp(overrides: Partial<Deps> = {}) {
  const kit = makeTestDeps(overrides)
  const app = createApp(() => kit.deps, { makeLog: () => kit.log })
  const client = (address = '203.0.113.7') => makeClient(app, kit.deps, address)
  /** A client with a session, without a sign-in. */
  async function signedIn(
    { address }: Pick<PrivateKeyAccount, 'address'> = K1,
    chainId = kit.deps.config.networks[0].chainId,
  ): Promise<TestClient> {
    const signedInClient = client()
    signedInClient.cookies.set('__Host-session', await sealFor(kit.deps.config, address, chainId))
    return signedInClient
  }
  return { ...kit, app, client, signedIn }
}

type App = ReturnType<typeof createApp>

function makeClient(app: App, deps: Deps, address: string): TestClient {
  const origin = deps.config.publicOrigins[0]
  const cookies = new CookieJar()
  const send: TestClient['send'] = async (method, path, { body, headers = {} } = {}) => {
    const cookie = cookies.size > 0 ? { cookie: cookies.header } : {}
    const init: RequestInit = {
      method,
      headers: { 'cf-connecting-ip': address, ...cookie, ...lowerCased(headers) },
    }
    if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await app.request(origin + path, init, {})
    cookies.keep(response.headers)
    const text = await response.text()
    assertDocumented(method, origin + path, { status: response.status, headers: response.headers, text })
    return { status: response.status, headers: response.headers, text, json: parse(text) }
  }
  const client: TestClient = {
    cookies,
    send,
    get: (path, headers) => send('GET', path, headers === undefined ? {} : { headers }),
    post: (path, body, headers) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      return send('POST', path, { body, headers: { ...type, ...cookies.headers, ...lowerCased(headers) } })
    },
    async signIn(account, chainId = 84532) {
      const { nonce } = z.object({ nonce: z.string() }).parse((await client.get('/api/auth/nonce')).json)
      const message = siweText({ address: account.address, chainId, nonce, issuedAt: deps.now() })
      return client.post('/api/auth/verify', { message, signature: await account.signMessage({ message }) })
    },
  }
  return client
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
