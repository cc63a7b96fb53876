import { deleteShare, findShared, type Share, saveShare, shareOf } from '../../../db/queries/shares.ts'
import { AppError } from '../../errors.ts'
import type { RequestDeps, Session } from '../deps.ts'
import { promptOf } from '../models/catalogue.ts'
import { isUuid, ownInference } from './views/status.ts'

/** Shares a succeeded inference of the caller. Throws `inference_not_found`, or `invalid_request` if it has no result. */
export async function shareInference(
  deps: RequestDeps,
  owner: Session,
  inferenceId: string,
  showsPrompt: boolean,
): Promise<Share> {
  const { record } = await ownInference(deps, owner, inferenceId)
  if (record?.status !== 'succeeded') {
    throw new AppError('invalid_request', { detail: 'Only an inference with a result can be shared.' })
  }
  return saveShare(deps.database, { id: deps.newId(), inferenceId, showsPrompt, now: deps.now() })
}

/** The share of an inference of the caller. Throws `inference_not_found`, or `not_found` if it is not shared. */
export async function ownShare(deps: RequestDeps, owner: Session, inferenceId: string): Promise<Share> {
  await ownInference(deps, owner, inferenceId)
  const share = await shareOf(deps.database, inferenceId)
  if (share === null) throw new AppError('not_found', { detail: 'This inference is not shared.' })
  return share
}

/** Takes the share of an inference of the caller back, if there is one. Throws `inference_not_found`. */
export async function takeBackShare(deps: RequestDeps, owner: Session, inferenceId: string): Promise<void> {
  await ownInference(deps, owner, inferenceId)
  await deleteShare(deps.database, inferenceId)
}

/**
 * The view of a share for anyone with the link. Nothing in it leads to the wallet: no payment, no id of the inference, and of the time
 * only the UTC day, since a payment's time is public on its chain. Throws `not_found`.
 */
export async function sharedResult(deps: RequestDeps, id: string) {
  const found = isUuid(id) ? await findShared(deps.database, id) : null
  if (found === null) throw new AppError('not_found', { detail: 'This result is not shared, or no longer.' })
  const { share, record } = found
  return {
    task: record.task,
    model: record.model,
    prompt: share.showsPrompt ? promptOf(record.model, record.input) : null,
    output: record.output,
    aspectRatio: textOrNull(record.input['aspect_ratio']),
    predictTimeMs: record.predictTimeMs,
    day: record.createdAt.toISOString().slice(0, 10),
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
