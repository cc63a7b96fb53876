import * as z from 'zod'
import { catalogue } from '../../worker/domain/models/catalogue.ts'
import { inputMismatch } from '../../worker/domain/models/input-fit.ts'
import type { Model } from '../../worker/domain/models/model.ts'
import { call, jsonOf } from '../../worker/lib/http.ts'
import { ProviderError } from '../../worker/upstreams/provider/provider.ts'
import { makeReplicate } from '../../worker/upstreams/provider/replicate.ts'
import { type Check, type Finding, fail, ok, skip, wordsOf } from './finding.ts'

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

/** Checks that the provider has each model of the catalogue, and takes the inputs that we send. */
export const checkModels: Check = async ({ config, fetch }) => {
  const { readModel } = makeReplicate(config.provider, { fetch })
  const findings: Finding[] = []
  try {
    for (const model of catalogue) findings.push(...faultsOf(model, await readModel(model.providerModel)))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return [...findings, skip('models', `the provider cannot be asked: ${wordsOf(error)}`)]
  }
  return findings.length > 0 ? findings : [ok('models', `all ${catalogue.length} are there and take what we send`)]
}

function faultsOf(model: Model, schemas: Record<string, unknown> | null): Finding[] {
  if (schemas === null) {
    const advice =
      'It is not sold once the scheduled job has noticed. Replace it in worker/domain/models/, or take it out, and deploy.'
    return [fail('models', `the provider does not have ${model.providerModel}`, advice)]
  }
  const { faults, runsFail } = inputMismatch(model.inputJsonSchema, schemas)
  const state = runsFail ? 'It is not sold once the scheduled job has noticed.' : 'It is still sold.'
  return faults.map((fault) =>
    fail('models', `${model.id}: ${fault}`, `${state} Correct the inputs in worker/domain/models/inputs/, and deploy.`),
  )
}
