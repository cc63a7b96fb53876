import * as z from 'zod'
import { call, jsonOf } from '../../worker/lib/http.ts'
import { type Check, fail, ok, wordsOf } from './finding.ts'

const accountSchema = z.object({ type: z.string(), username: z.string() })
const secretSchema = z.object({ key: z.string() })

/** Checks that the model provider accepts the token. */
export const checkProvider: Check = async ({ config: { provider }, fetch }) => {
  const host = new URL(provider.baseUrl).host
  const headers = { authorization: `Bearer ${provider.token}` }
  const answer = await call(fetch, `${provider.baseUrl}/account`, { headers, deadlineMs: 10_000 }).catch(wordsOf)
  if (typeof answer === 'string') {
    const advice =
      'Correct MODEL_PROVIDER_BASE_URL, or look at the status page of the provider. Meanwhile nothing is sold.'
    return [fail('provider', `${host} does not answer: ${answer}`, advice)]
  }
  if (answer.status === 401 || answer.status === 403) {
    const advice =
      'MODEL_PROVIDER_API_TOKEN: the provider does not know it. Make a new one (replicate.com/account/api-tokens) and set it.'
    return [fail('provider', `${host} answers ${answer.status} to /account`, advice)]
  }
  if (answer.status !== 200) {
    const advice =
      'Look at the status page of the provider; if it reports no fault, MODEL_PROVIDER_BASE_URL is not the API’s base (…/v1).'
    return [fail('provider', `${host} answers ${answer.status} to /account`, advice)]
  }
  if (!accountSchema.safeParse(jsonOf(answer.text)).success) {
    const advice =
      'MODEL_PROVIDER_BASE_URL: something answers there, and it is not the API of the provider (…/v1). Correct it.'
    return [fail('provider', `${host} answers 200 to /account, without an account`, advice)]
  }
  return [ok('provider', `${host} knows the token`)]
}

/**
 * Checks that the worker has the secret that the provider signs webhooks with. Without it webhooks are refused, and every result
 * waits until it is polled.
 */
export const checkWebhookSecret: Check = async ({ config: { provider }, fetch }) => {
  const secret = provider.webhookSecret
  const where =
    'GET /v1/webhooks/default/secret of the provider returns it; set MODEL_PROVIDER_WEBHOOK_SECRET to its `key`, whsec_ included.'
  if (secret === undefined) return [fail('webhook secret', 'MODEL_PROVIDER_WEBHOOK_SECRET is missing', where)]
  if (!/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)) {
    return [fail('webhook secret', 'MODEL_PROVIDER_WEBHOOK_SECRET is not a whsec_… secret', where)]
  }
  const url = `${provider.baseUrl}/webhooks/default/secret`
  const headers = { authorization: `Bearer ${provider.token}` }
  const answer = await call(fetch, url, { headers, deadlineMs: 10_000 }).catch(() => null)
  const theirs = secretSchema.safeParse(answer?.status === 200 ? jsonOf(answer.text) : undefined)
  if (!theirs.success) return [ok('webhook secret', 'is set; the provider does not show its own')]
  if (theirs.data.key === secret) return [ok('webhook secret', 'is the one that the provider signs with')]
  return [fail('webhook secret', 'the provider signs with another one', where)]
}
