import { ExactEvmScheme } from '@x402/evm/exact/client'
import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x'
import { x402Client } from '@x402/fetch'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import * as z from 'zod'
import type { Database } from '../../db/client.ts'
import { makeBuyer } from './buyer.ts'
import { challengeInfoSchema } from './challenge.ts'
import { BASE_SEPOLIA, makeTestConfig, TEST_ORIGIN } from './config.ts'
import { useDatabase } from './in-process-database.ts'
import { openService, type Service } from './in-process-service.ts'
import { decodeHeader } from './sign-payment.ts'

const problemSchema = z.looseObject({
  code: z.string().optional(),
  paymentState: z.string().optional(),
  nextAction: z.string().optional(),
  status: z.unknown().optional(),
  statusUrl: z.string().optional(),
})
const requiredSchema = z.looseObject({
  accepts: z.array(z.looseObject({ amount: z.string() })),
  extensions: z.looseObject({
    quote: z.looseObject({ info: z.looseObject({ token: z.string() }) }).optional(),
    'sign-in-with-x': z.looseObject({ info: challengeInfoSchema }).optional(),
  }),
})

/** A service whose clock is the real one's, since published clients look at that; and callers without cookies. */
function openCaller(database: Database, paymentSignIn: boolean) {
  const service = openService(database, { config: makeTestConfig({ paymentSignIn }) })
  service.clock.set(new Date())
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)

  const send = async (path: string, headers: Record<string, string> = {}, body?: unknown) => {
    const response = await service.fetch(TEST_ORIGIN + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await service.time.run(response.text())
    return { status: response.status, headers: response.headers, body: problemSchema.parse(JSON.parse(text)) }
  }
  const post = (body: unknown, headers: Record<string, string> = {}) => send('/api/inference', headers, body)
  const requiredOf = (answer: { headers: Headers }) =>
    requiredSchema.parse(decodeHeader(answer.headers.get('Payment-Required')))
  /** The proof that answers a 402, by its wallet; with `uri` for another address than the one that answered. */
  const proofFor = async (answer: { headers: Headers }, by = account, uri?: string) => {
    const info = requiredOf(answer).extensions['sign-in-with-x']?.info
    if (info === undefined) throw new Error('no challenge')
    const challenge = { ...info, uri: uri ?? info.uri, chainId: BASE_SEPOLIA.network, type: 'eip191' } as const
    const payload = await createSIWxPayload(challenge, by, challenge.uri)
    return { 'SIGN-IN-WITH-X': encodeSIWxHeader(payload) }
  }
  /** The payment header for a 402, by a wallet. */
  const paymentFor = async (
    answer: { headers: Headers },
    overrides: { extensions?: unknown } = {},
    privateKey = key,
  ) => {
    const buyer = makeBuyer({
      fetch: service.fetch,
      origin: TEST_ORIGIN,
      chainId: BASE_SEPOLIA.chainId,
      now: service.deps.now,
      privateKey,
    })
    const required = decodeHeader(answer.headers.get('Payment-Required'))
    return { 'Payment-Signature': await buyer.sign(required as Parameters<typeof buyer.sign>[0], overrides) }
  }
  return { ...service, account, send, post, requiredOf, proofFor, paymentFor, stock: publishedParts(service, account) }
}

/** The parts of published x402 clients: the buyer's client, and a `fetch` that reaches the service. */
function publishedParts(service: Service, account: PrivateKeyAccount) {
  const client = () =>
    x402Client.fromConfig({ schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(account) }] })
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    return service.fetch(request.url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      ...(request.method !== 'GET' && { body: await request.text() }),
    })
  }
  return { client, fetch }
}

export type SessionlessCaller = ReturnType<typeof openCaller>

/** A database for the tests of a file. Returns a function that opens a service over it for a caller without cookies. */
export function useSessionlessCaller(): (paymentSignIn?: boolean) => SessionlessCaller {
  const db = useDatabase()
  return (paymentSignIn = false) => openCaller(db.database, paymentSignIn)
}
