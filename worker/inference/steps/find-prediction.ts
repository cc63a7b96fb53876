import type { Payment } from '../../../db/queries/payment-row.ts'
import type { Config } from '../../config/config.ts'
import { type Prediction, type Provider, ProviderError } from '../../providers/provider.ts'
import { after } from '../driver.ts'
import { searchSkewMs } from '../leases.ts'

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

/** Finds the run that carries a payment's correlation id; null when there is none. Throws `ProviderError`. */
export type RunSearch = (payment: Payment) => Promise<Prediction | null>

/** The provider's list, newest first, read as far as a search needed. */
interface Listing {
  runs: AsyncIterator<Prediction>
  /** What was read so far, by correlation id. */
  seen: Map<string, Prediction[]>
  /** Its last run was read, or one from before this time. */
  readTo: Date | 'end' | null
  /** The read that is under way. */
  reading: Promise<void> | null
}

/**
 * A search of the provider's list for payments that were claimed at `oldestClaim` or later. Payments whose leases are all held before
 * its first use may share one: the list is read once for all of them. After a failure the next search reads it anew.
 */
export function makeRunSearch(provider: Provider, oldestClaim: Date): RunSearch {
  let shared: Listing | null = null
  return async (payment) => {
    const listing = shared ?? openListing(provider, after(oldestClaim, -searchSkewMs))
    shared = listing
    try {
      return await searchListing(provider, listing, payment)
    } catch (error) {
      if (shared === listing) shared = null
      throw error
    }
  }
}

const openListing = (provider: Provider, since: Date): Listing => ({
  runs: provider.list(since)[Symbol.asyncIterator](),
  seen: new Map(),
  readTo: null,
  reading: null,
})

async function searchListing(provider: Provider, listing: Listing, payment: Payment): Promise<Prediction | null> {
  const since = after(payment.createdAt, -searchSkewMs)
  for (;;) {
    const own = listing.seen.get(payment.inferenceId)?.find((run) => belongsTo(run, payment))
    if (own !== undefined) return own
    if (listing.readTo === 'end' || (listing.readTo !== null && listing.readTo < since)) return null
    listing.reading ??= readNext(provider, listing)
    await listing.reading
  }
}

async function readNext(provider: Provider, listing: Listing): Promise<void> {
  const next = await listing.runs.next()
  if (next.done === true) {
    listing.readTo = 'end'
    return
  }
  const listed = next.value
  const run = listed.webhook === null ? await getKnown(provider, listed.id) : listed
  const id = correlationId(run.webhook)
  if (id !== null) listing.seen.set(id, [...(listing.seen.get(id) ?? []), run])
  if (listed.createdAt !== null) listing.readTo = listed.createdAt
  listing.reading = null
}

/** Whether a run carries this payment's correlation id. One that failed before an operator's retry no longer counts. */
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
