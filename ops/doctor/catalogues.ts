import { validateDiscoveryExtension, validateDiscoveryExtensionSpec } from '@x402/extensions/bazaar'
import * as z from 'zod'
import { fromBase64 } from '../../protocol/base64.ts'
import { call, type HttpAnswer, jsonOf } from '../../worker/lib/http.ts'
import { type Check, fail, ok, skip, wordsOf } from './finding.ts'

const DEADLINE_MS = 10_000
const CHECK = 'catalogues'

const offer = z.looseObject({ scheme: z.string(), network: z.string(), amount: z.string().regex(/^\d+$/) })
type Bazaar = Parameters<typeof validateDiscoveryExtension>[0]
const bazaar = z.custom<Bazaar>((value) => typeof value === 'object' && value !== null)
const requiredSchema = z.looseObject({
  x402Version: z.literal(2),
  resource: z.looseObject({ url: z.url() }),
  accepts: z.array(offer).min(1),
  extensions: z.looseObject({}),
})
const discoverable = z.looseObject({ extensions: z.looseObject({ bazaar }) })
const price = z.looseObject({ mode: z.string(), currency: z.string(), min: z.string(), max: z.string() })
const paidCall = z.looseObject({ 'x-payment-info': z.looseObject({ price, protocols: z.array(z.unknown()).min(1) }) })
const openapiSchema = z.looseObject({
  paths: z.looseObject({ '/api/inference': z.looseObject({ post: paidCall }) }),
})
const listSchema = z.looseObject({
  x402Version: z.literal(2),
  items: z.array(z.looseObject({ resource: z.url(), accepts: z.array(offer).min(1) })).min(1),
})

type Ask = (path: string, options?: { body?: string }) => Promise<HttpAnswer>

/** Checks the deployment as catalogues of paid services do: what they ask must have a price, and be readable. */
export const checkCatalogues: Check = async ({ config, fetch }) => {
  const [origin] = config.publicOrigins
  const ask: Ask = (path, { body } = {}) => {
    const headers = { origin, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const method = path.startsWith('/api/') || path.startsWith('/v1/') ? 'POST' : 'GET'
    return call(fetch, origin + path, { method, headers, deadlineMs: DEADLINE_MS, ...(body !== undefined && { body }) })
  }
  try {
    const doors = ['/api/inference', ...(config.openaiRoutes ? OPENAI_DOORS : [])]
    const probes = doors.flatMap((path) => [probeFault(ask, path), probeFault(ask, path, '{}')])
    const faults = await Promise.all([...probes, openapiFault(ask), listFault(ask)])
    const found = faults.flatMap((fault) =>
      fault === null ? [] : [fail(CHECK, `${origin}${fault.what}`, fault.advice)],
    )
    return found.length > 0 ? found : [ok(CHECK, 'an empty call has a price, and the documents they read are in order')]
  } catch (error) {
    return [skip(CHECK, `${origin} does not answer: ${wordsOf(error)}`)]
  }
}

const OPENAI_DOORS = ['/v1/images/generations', '/v1/chat/completions', '/v1/responses', '/v1/audio/speech']
const PROXY =
  'Check what is in front of the worker (firewall rules, a cache, another route): it must pass this call and its headers on.'

interface Fault {
  what: string
  advice: string
}

/** A call of a catalogue's validator: without a session or a payment, and with an empty body or `{}`. */
async function probeFault(ask: Ask, path: string, body?: string): Promise<Fault | null> {
  const answer = await ask(path, body === undefined ? {} : { body })
  const to = `${path} to ${body === undefined ? 'a call without a body' : 'a call with {}'}`
  if (answer.status !== 402)
    return { what: ` answers ${answer.status} at ${to}, where catalogues want 402`, advice: PROXY }
  const header = fromBase64(answer.headers.get('payment-required') ?? '')
  const decoded = header === null ? undefined : jsonOf(new TextDecoder().decode(header))
  const required = requiredSchema.safeParse(decoded)
  if (!required.success) return { what: ` has no readable Payment-Required at ${to}`, advice: PROXY }
  const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase()
  const hidden = ['payment-required', 'payment-response'].filter((name) => !exposed.includes(name))
  if (hidden.length > 0) return { what: ` does not let pages read ${hidden.join(', ')} at ${to}`, advice: PROXY }
  return path === '/api/inference' ? bazaarFault(decoded) : null
}

function bazaarFault(decoded: unknown): Fault | null {
  const parsed = discoverable.safeParse(decoded)
  const advice = 'The worker that answers is not of this repository, or older: deploy it again.'
  if (!parsed.success) return { what: ': its challenge does not describe the call (extension bazaar)', advice }
  const extension = parsed.data.extensions.bazaar
  const results = [validateDiscoveryExtension(extension), validateDiscoveryExtensionSpec({ ...extension })]
  const bad = results.find(({ valid }) => !valid)
  return bad === undefined
    ? null
    : { what: `: its extension bazaar does not fit its schema: ${(bad.errors ?? []).join('; ')}`, advice }
}

const ROUTES = 'Route /openapi.json and /.well-known/* of PUBLIC_ORIGIN to the worker, and deploy it.'

async function openapiFault(ask: Ask): Promise<Fault | null> {
  const answer = await ask('/openapi.json')
  if (openapiSchema.safeParse(jsonOf(answer.text)).success) return null
  return { what: `/openapi.json answers ${answer.status}, without the price of the paid call`, advice: ROUTES }
}

async function listFault(ask: Ask): Promise<Fault | null> {
  const answer = await ask('/.well-known/x402.json')
  if (listSchema.safeParse(jsonOf(answer.text)).success) return null
  return { what: `/.well-known/x402.json answers ${answer.status}, and lists nothing that is for sale`, advice: ROUTES }
}
