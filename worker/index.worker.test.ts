import { exports } from 'cloudflare:workers'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { expect, test } from 'vitest'
import * as z from 'zod'

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: typeof import('./index.ts')
    }
  }
}

const ORIGIN = 'http://127.0.0.1:8787'
const account = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const nonceSchema = z.object({ nonce: z.string() })
const problemSchema = z.object({ code: z.string() })

const call = (path: string, init?: RequestInit): Promise<Response> =>
  exports.default.fetch(new Request(ORIGIN + path, init))

test('default: the worker starts in workerd and answers', async () => {
  const response = await call('/api/auth/session')
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ address: null, chainId: null })
})

test('error: not_found is a problem document', async () => {
  const response = await call('/api/nothing')
  expect(response.status).toBe(404)
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(problemSchema.parse(await response.json()).code).toBe('not_found')
})

/** A sign-in whose message and signature are right; the database behind it is not there. */
async function signIn(): Promise<Response> {
  const first = await call('/api/auth/nonce')
  const { nonce } = nonceSchema.parse(await first.json())
  const csrf = /csrf=([^;]+)/.exec(first.headers.get('set-cookie') ?? '')?.[1] ?? ''
  const message = createSiweMessage({
    address: account.address,
    chainId: 31337,
    domain: '127.0.0.1:8787',
    nonce,
    uri: ORIGIN,
    version: '1',
  })
  const signature = await account.signMessage({ message })
  return call('/api/auth/verify', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrf, cookie: `csrf=${csrf}` },
    body: JSON.stringify({ message, signature }),
  })
}

test('error: database_unavailable comes after the sign-in checks in workerd', async () => {
  const response = await signIn()
  expect(problemSchema.parse(await response.json()).code).toBe('database_unavailable')
  expect(response.status).toBe(503)
})

test('error: rate_limited comes from the binding of wrangler.toml', async () => {
  const codes: string[] = []
  for (let attempt = 0; attempt < 21; attempt++) {
    codes.push(problemSchema.parse(await (await signIn()).json()).code)
  }
  expect(codes).toContain('rate_limited')
})
