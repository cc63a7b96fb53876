import * as z from 'zod'
import { AppError } from '../../errors.ts'
import { call, type Fetch, type HttpAnswer, HttpError, jsonOf } from '../../lib/http.ts'
import { excerpt, trimEnd } from '../../lib/text.ts'
import type { PaymentPayload, PaymentRequirements } from '../../x402/schemas.ts'
import type { Facilitator } from './facilitator.ts'
import { readSettle, readVerify } from './facilitator-answers.ts'
import { makeAuthorization } from './facilitator-auth.ts'

const VERIFY_MS = 5_000
const SETTLE_MS = 30_000
const SUPPORTED_MS = 5_000
/** The kinds that a facilitator supports change rarely. A facilitator that is down should be noticed, but not at every request. */
const GOOD_FOR_MS = 10 * 60_000
const BAD_FOR_MS = 5_000

interface HttpFacilitatorOptions {
  url: string
  /** Sent as a bearer. */
  token?: string
  /** Signs a JWT for each call. */
  key?: { id: string; secret: string }
  fetch: Fetch
  /** Milliseconds since 1970; tests set their own clock. */
  now?: () => number
}

type Supported = { networks: ReadonlySet<string>; until: number } | { failure: string; until: number }

/** The client of a facilitator over HTTP. Calls are never repeated: whether to settle again is the purchase's decision. */
export function makeHttpFacilitator({ url, token, key, fetch, now = Date.now }: HttpFacilitatorOptions): Facilitator {
  const base = trimEnd(url, '/')
  const authorize = makeAuthorization({ ...(token !== undefined && { token }), ...(key !== undefined && { key }) }, now)
  // The public facilitator redirects to its www host; a token must not go where a redirect points.
  const redirect = token || key ? 'manual' : 'follow'
  const send = async (method: 'GET' | 'POST', path: string, deadlineMs: number, body?: string): Promise<HttpAnswer> => {
    const headers = { 'content-type': 'application/json', ...(await authorize(method, base + path)) }
    return call(fetch, base + path, { method, headers, redirect, deadlineMs, ...(body !== undefined && { body }) })
  }
  const post = (path: string, payload: PaymentPayload, requirements: PaymentRequirements, deadlineMs: number) =>
    send('POST', path, deadlineMs, JSON.stringify(callBody(payload, requirements)))
  let supported: Supported | undefined

  const askNetworks = async (): Promise<ReadonlySet<string>> => {
    if (supported === undefined || supported.until <= now()) {
      const answer = await send('GET', '/supported', SUPPORTED_MS).catch(failureOf)
      supported = readSupported(answer, now())
    }
    if ('networks' in supported) return supported.networks
    throw new AppError(
      'facilitator_unavailable',
      { paymentState: 'unused', nextAction: 'wait_and_retry' },
      { cause: supported.failure },
    )
  }

  return {
    supportedNetworks: () =>
      supported !== undefined && 'networks' in supported && supported.until > now()
        ? supported.networks
        : askNetworks(),
    async verify(payload, requirements) {
      const answer = await post('/verify', payload, requirements, VERIFY_MS).catch(failureOf)
      return typeof answer === 'string' ? { kind: 'unavailable', detail: answer } : readVerify(answer)
    },
    async settle(payload, requirements) {
      const answer = await post('/settle', payload, requirements, SETTLE_MS).catch(failureOf)
      if (typeof answer === 'string') return { kind: 'unknown', reason: answer }
      return readSettle(answer, { network: requirements.network, payer: payload.payload.authorization.from })
    },
  }
}

/** Only what was signed is the client's; all else is our own copy. Its `resource` and `extensions` (the quote) stay here. */
const callBody = (payload: PaymentPayload, requirements: PaymentRequirements) => ({
  x402Version: 2,
  paymentPayload: { x402Version: 2, payload: payload.payload, accepted: requirements },
  paymentRequirements: requirements,
})

/** The words of a call without an answer. Any other error is thrown again. */
function failureOf(error: unknown): string {
  if (error instanceof HttpError) return error.message
  throw error
}

const kindSchema = z.object({ x402Version: z.literal(2), scheme: z.literal('exact'), network: z.string() })

function readSupported(answer: HttpAnswer | string, now: number): Supported {
  const fail = (failure: string): Supported => ({ failure, until: now + BAD_FOR_MS })
  if (typeof answer === 'string') return fail(answer)
  const body = z.object({ kinds: z.array(z.unknown()) }).safeParse(jsonOf(answer.text))
  if (answer.status !== 200 || !body.success) return fail(excerpt(`status ${answer.status}: ${answer.text}`))
  const kinds = body.data.kinds.map((kind) => kindSchema.safeParse(kind))
  const networks = new Set(kinds.flatMap((kind) => (kind.success ? [kind.data.network] : [])))
  return { networks, until: now + GOOD_FOR_MS }
}
