import type { Payment } from '../../../../db/queries/payment-row.ts'
import type { Config } from '../../../config/config.ts'
import { type Prediction, type Provider, ProviderError } from '../../../upstreams/provider/provider.ts'
import { searchSkewMs } from '../leases.ts'
import { after } from '../payment-facts.ts'

const parameter = 'inference'

/** The webhook URL of a purchase's run. It carries the correlation id, and is sent even where no webhook is taken. */
export function webhookUrl(config: Config, payment: Pick<Payment, 'inferenceId'>): string {
  return `${config.publicOrigins[0]}/api/webhooks/model-provider?${parameter}=${payment.inferenceId}`
}

/** The inference's id in a webhook URL that `webhookUrl` made; null when there is none. */
export function correlationId(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null
  return new URL(url).searchParams.get(parameter)
}

/** Finds the run that carries a payment's correlation id, or null. Throws `ProviderError`. */
export type RunSearch = (payment: Payment) => Promise<Prediction | null>

/**
 * A search of the provider's list for payments that were claimed at `oldestClaim` or later. Payments whose leases are all held before
 * its first use may share one: the list is read once for all of them. After a failure the next search reads it again.
 */
export function makeRunSearch(provider: Provider, oldestClaim: Date): RunSearch {
  let listed: Promise<Map<string, Prediction[]>> | null = null
  return async (payment) => {
    listed ??= readRuns(provider, after(oldestClaim, -searchSkewMs)).catch((error: unknown) => {
      listed = null
      throw error
    })
    const own = (await listed).get(payment.inferenceId)
    return own?.find((run) => belongsTo(run, payment)) ?? null
  }
}

/** Every run since then by its correlation id, newest first. */
async function readRuns(provider: Provider, since: Date): Promise<Map<string, Prediction[]>> {
  const runs = new Map<string, Prediction[]>()
  for await (const listed of provider.list(since)) {
    const run = listed.webhook === null ? await getKnown(provider, listed.id) : listed
    const id = correlationId(run.webhook)
    if (id !== null) runs.set(id, [...(runs.get(id) ?? []), run])
  }
  return runs
}

/** True if a run carries this payment's correlation id. One that failed before an operator's retry no longer counts. */
export function belongsTo(prediction: Prediction, payment: Payment): boolean {
  if (correlationId(prediction.webhook) !== payment.inferenceId) return false
  const { rerunAt } = payment
  const isOld = rerunAt !== null && prediction.createdAt !== null && prediction.createdAt < rerunAt
  return !(isOld && prediction.status === 'failed')
}

/**
 * A run that is known to exist. A 404 for it says nothing about the request, so it is read again later.
 * Throws `ProviderError unavailable`.
 */
export async function getKnown(provider: Provider, id: string): Promise<Prediction> {
  try {
    return await provider.get(id)
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind === 'unavailable') throw error
    throw new ProviderError('unavailable', error.message, { cause: error })
  }
}
