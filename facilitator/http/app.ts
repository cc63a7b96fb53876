import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { x402Facilitator } from '@x402/core/facilitator'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { type Log, reasonOf } from '../log.ts'
import { type PaymentPayload, type PaymentRequirements, requestSchema } from '../request.ts'
import type { Chain } from '../settle/settle-answers.ts'
import type { Settled, Settler } from '../settle/settler.ts'
import { type AllowedNetwork, refusalOf } from './allow-list.ts'
import type { Health } from './health.ts'

export interface AppOptions {
  networks: readonly AllowedNetwork[]
  chains: readonly Chain[]
  settler: Settler
  /** `/verify` and `/settle` need one of these as a bearer token; an empty list leaves them open. */
  tokens: readonly string[]
  health(): Promise<Health>
  log: Log
}

type Env = { Bindings: Partial<HttpBindings> }
type Call = 'verify' | 'settle'

const MAX_BODY_BYTES = 64 * 1024

/**
 * An x402 version 2 facilitator for the scheme `exact` that settles only what its allow-list names. A refusal is always a typed
 * body (`isValid`/`success` false); any other answer means that the outcome is unknown, and the chain decides.
 */
export function createApp({ networks, chains, settler, tokens, health, log }: AppOptions): Hono<Env> {
  const facilitator = new x402Facilitator()
  for (const { network, verifier } of chains) facilitator.register(network.network, verifier.scheme)
  const app = new Hono<Env>()

  app.get('/supported', (c) => c.json(facilitator.getSupported()))
  app.get('/health', async (c) => {
    const found = await health()
    return c.json(found, found.status === 'error' ? 503 : 200)
  })

  async function answer(call: Call, payload: PaymentPayload, requirements: PaymentRequirements, sent: Sent) {
    const { from } = payload.payload.authorization
    const refusal = refusalOf(networks, payload, requirements)
    const chain = chains.find(({ network }) => network.network === requirements.network)
    if (refusal !== null || chain === undefined) {
      return refused(call, refusal ?? 'invalid_network', requirements.network, from)
    }
    if (call === 'verify') return settler.verify(chain, payload, requirements)
    const settled = await settler.settle(chain, payload, requirements)
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
      const shown = withoutDetails(found)
      log('info', call, linesOf(shown))
      return c.json(shown)
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

/** Calls `release` when the answer has been sent or its caller has disconnected; at once where there is no socket. */
function whenSent(c: Context<Env>, release: Settled['release']): void {
  const { outgoing } = c.env ?? {}
  if (outgoing === undefined || outgoing.destroyed) return void release(outgoing === undefined)
  outgoing.once('close', () => void release(outgoing.writableFinished))
}

/** An answer whose texts are one line each: the library passes on whole errors, with the RPC's URL and calldata. */
function withoutDetails(answer: object): Record<string, unknown> {
  const shown = Object.entries(answer).map(([name, value]) => [
    name,
    isText(name) && value !== undefined ? reasonOf(value) : value,
  ])
  return Object.fromEntries(shown.filter(([, value]) => value !== undefined))
}

const isText = (name: string): boolean => /(Reason|Message)$/.test(name)

/** The part of an answer that the log keeps. */
function linesOf(answer: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(answer).filter(([name, value]) => value !== '' && !/^(extensions|extra)$/.test(name))
  return Object.fromEntries(kept)
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
