import { type Prediction, type Provider, ProviderError } from '../../providers/provider.ts'
import type { Driver } from '../driver.ts'

/**
 * A run that is known to exist. One the provider denies all the same says nothing about our request, so it is looked at again
 * later. Throws `ProviderError unavailable`.
 */
export async function getKnown(provider: Provider, id: string): Promise<Prediction> {
  try {
    return await provider.get(id)
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind === 'unavailable') throw error
    throw new ProviderError('unavailable', error.message, { cause: error })
  }
}

/** Stops a run nobody waits for. One that cannot be stopped costs its compute and changes nothing else. */
export async function cancelQuietly({ deps }: Driver, prediction: Prediction): Promise<void> {
  try {
    await deps.provider.cancel(prediction.id)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    deps.log.warn('prediction.cancel_failed', { predictionId: prediction.id, reason: error.message })
  }
}
