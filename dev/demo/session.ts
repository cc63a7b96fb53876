import type { PrivateKeyAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import * as z from 'zod'
import { refusalOf } from './api.ts'

/** A client that keeps cookies and sends the CSRF token, as a browser and its page would. */
export interface Session {
  origin: string
  /** Calls a path of the service. Answers of any status; throws when there is none. */
  call(path: string, init?: { method?: string; body?: unknown; headers?: Record<string, string> }): Promise<Response>
}

const LONGEST_CALL_MS = 11 * 60_000

export function openSession(origin: string): Session {
  const cookies = new Map<string, string>()
  return {
    origin,
    call: async (path, { method = 'GET', body, headers = {} } = {}) => {
      const csrf = cookies.get('__Host-csrf') ?? cookies.get('csrf')
      const response = await fetch(new URL(path, origin), {
        method,
        headers: {
          ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
          ...(csrf !== undefined && method !== 'GET' && { 'x-csrf-token': csrf }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(LONGEST_CALL_MS),
      })
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const at = pair.indexOf('=')
        cookies.set(pair.slice(0, at), pair.slice(at + 1))
      }
      return response
    },
  }
}

const nonceSchema = z.object({ nonce: z.string() })

/** Signs in with Ethereum (EIP-4361). Throws `Refused`. */
export async function signIn(session: Session, account: PrivateKeyAccount, chainId: number): Promise<void> {
  const answer = await session.call('/api/auth/nonce')
  if (!answer.ok) throw await refusalOf(answer)
  const { nonce } = nonceSchema.parse(await answer.json())
  const message = createSiweMessage({
    address: account.address,
    chainId,
    domain: new URL(session.origin).host,
    nonce,
    uri: session.origin,
    version: '1',
    statement: 'Sign in to Coinslot.',
    issuedAt: new Date(),
  })
  const signature = await account.signMessage({ message })
  const verified = await session.call('/api/auth/verify', { method: 'POST', body: { message, signature } })
  if (!verified.ok) throw await refusalOf(verified)
}
