import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { x402Facilitator } from '@x402/core/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { type AllowedNetwork, refusalOf } from './allow-list.ts'
import type { ChainAccount } from './chain-account.ts'
import type { Health } from './health.ts'
import { type Log, reasonOf } from './log.ts'
import { type PaymentPayload, type PaymentRequirements, requestSchema } from './request.ts'
import type { Settled, Settler } from './settler.ts'

export interface AppOptions {
  networks: readonly AllowedNetwork[]
  accounts: readonly ChainAccount[]
  settler: Settler
  /** `/verify` and `/settle` want one of these as a bearer; with none they are open. */
  tokens: readonly string[]
  health(): Promise<Health>
  log: Log
}

type Env = { Bindings: Partial<HttpBindings> }
type Call = 'verify' | 'settle'

const MAX_BODY_BYTES = 64 * 1024

/**
 * An x402 version 2 facilitator for the scheme `exact` that settles only what its allow-list names. A refusal is always a typed
 * body (`isValid`/`success` false); any other answer means that nothing is known, and the chain decides.
 */
export function createApp({ networks, accounts, settler, tokens, health, log }: AppOptions): Hono<Env> {
  const facilitator = new x402Facilitator()
  for (const account of accounts) facilitator.register(account.network, new ExactEvmScheme(account.signerFor()))
  const app = new Hono<Env>()

  app.get('/supported', (c) => c.json(facilitator.getSupported()))
  app.get('/health', async (c) => {
    const found = await health()
    return c.json(found, found.status === 'error' ? 503 : 200)
  })

  async function answer(call: Call, payload: PaymentPayload, requirements: PaymentRequirements, sent: Sent) {
    const { from } = payload.payload.authorization
    const refusal = refusalOf(networks, payload, requirements)
    const account = accounts.find(({ network }) => network === requirements.network)
    if (refusal !== null || account === undefined) {
      return refused(call, refusal ?? 'invalid_network', requirements.network, from)
    }
    if (call === 'verify') return facilitator.verify(payload, requirements)
    const settled = await settler.settle(account, payload, requirements)
    sent(settled.release)
    return settled.answer
  }

  for (const call of ['verify', 'settle'] as const) {
    app.use(`/${call}`, bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => c.json(invalid(call), 413) }))
    app.post(`/${call}`, async (c) => {
      if (!isAuthorized(tokens, c)) return c.json({ error: 'unauthorized' }, 401)
      const body = requestSchema.safeParse(await c.req.json().catch(() => undefined))
      if (!body.success) return c.json(invalid(call), 400)
      const { paymentPayload, paymentRequirements } = body.data
      const found = await answer(call, paymentPayload, paymentRequirements, (release) => whenSent(c, release))
      log('info', call, linesOf(found))
      return c.json(found)
    })
  }

  app.notFound((c) => c.json({ error: 'not_found' }, 404))
  app.onError((error, c) => {
    log('error', 'unavailable', { path: c.req.path, reason: reasonOf(error) })
    return c.json({ error: 'unavailable' }, 503)
  })
  return app
}

type Sent = (release: Settled['release']) => void

/** Calls back when the answer has been handed to the network, or its caller has left. Without a socket that is at once. */
function whenSent(c: Context<Env>, release: Settled['release']): void {
  const { outgoing } = c.env ?? {}
  if (outgoing === undefined || outgoing.destroyed) return void release(outgoing === undefined)
  outgoing.once('close', () => void release(outgoing.writableFinished))
}

/** What may be written down of an answer. */
function linesOf(answer: object): Record<string, unknown> {
  const line = Object.entries(answer).filter(([, value]) => value !== undefined && value !== '')
  const shown = line.filter(([name]) => !/^(extensions|extra)$/.test(name))
  return Object.fromEntries(shown.map(([name, value]) => [name, /Message$/.test(name) ? reasonOf(value) : value]))
}

const invalid = (call: Call) => refused(call, 'invalid_payload', '', undefined)

function refused(call: Call, reason: string, network: string, payer: string | undefined) {
  return call === 'verify'
    ? { isValid: false, invalidReason: reason, payer }
    : { success: false, errorReason: reason, transaction: '', network, payer }
}

function isAuthorized(tokens: readonly string[], c: Context): boolean {
  if (tokens.length === 0) return true
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const given = digest(c.req.header('authorization') ?? '')
  return tokens.some((token) => timingSafeEqual(given, digest(`Bearer ${token}`)))
}
