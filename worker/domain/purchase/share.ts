import type { InferenceRecord } from '../../../db/queries/inference-row.ts'
import type { Payment } from '../../../db/queries/payment-row.ts'
import {
  changeShare,
  deleteShare,
  findShared,
  type Share,
  type StoredShare,
  saveShare,
  shareOf,
} from '../../../db/queries/shares.ts'
import { AppError } from '../../errors.ts'
import { type ObjectStore, StorageUnavailable } from '../../upstreams/store/object-store.ts'
import type { Deps, RequestDeps, Session } from '../deps.ts'
import { promptOf } from '../models/catalogue.ts'
import { storedKey } from './views/present.ts'
import { isUuid, ownInference } from './views/status.ts'

/** How long caches may keep a shared file, so that one that is taken back is gone after an hour at most. */
const CACHED_SECONDS = 3_600

/**
 * Shares a succeeded inference of the caller. Its files are copied: a stored file carries the second in which it was made, and with that
 * anyone would find the payment on its chain. Throws `inference_not_found`, `invalid_request` if it has no result, and
 * `model_unavailable` while the object store does not answer.
 */
export async function shareInference(
  deps: RequestDeps,
  owner: Session,
  inferenceId: string,
  showsPrompt: boolean,
): Promise<Share> {
  const { payment, record } = await ownInference(deps, owner, inferenceId)
  if (record?.status !== 'succeeded') {
    throw new AppError('invalid_request', { detail: 'Only an inference with a result can be shared.' })
  }
  const shared = await changeShare(deps.database, inferenceId, showsPrompt)
  return shownToOwner(shared ?? (await newShare(deps, payment, record, showsPrompt)))
}

async function newShare(
  deps: RequestDeps,
  payment: Payment,
  record: InferenceRecord,
  showsPrompt: boolean,
): Promise<StoredShare> {
  const objectKey = `s/${deps.newId()}`
  const share = { id: deps.newId(), inferenceId: record.id, showsPrompt, objectKey }
  await whileStoreAnswers(() => copyFiles(deps.store, payment, record, objectKey))
  const saved = await saveShare(deps.database, { ...share, now: deps.now() })
  // Another call shared it meanwhile: no one has these copies' addresses.
  if (saved.id !== share.id) deps.waitUntil(removeFiles(deps.store, record, objectKey))
  return saved
}

const urlsOf = ({ output }: InferenceRecord): string[] => (output === null || output.type === 'text' ? [] : output.urls)

/** The key of a file below another prefix. */
const keyBelow = (prefix: string, url: string): string => `${prefix}/${url.slice(url.lastIndexOf('/') + 1)}`

async function copyFiles(store: ObjectStore, payment: Payment, record: InferenceRecord, prefix: string): Promise<void> {
  const copied = await Promise.all(
    urlsOf(record).map((url) => store.copy(storedKey(payment, url), keyBelow(prefix, url), CACHED_SECONDS)),
  )
  if (copied.includes(false)) throw new AppError('not_found', { detail: 'A stored file of this inference is gone.' })
}

const removeFiles = async (store: ObjectStore, record: InferenceRecord, prefix: string): Promise<void> =>
  void (await Promise.all(urlsOf(record).map((url) => store.delete(keyBelow(prefix, url)))))

async function whileStoreAnswers(work: () => Promise<unknown>): Promise<void> {
  await work().catch((cause: unknown) => {
    if (!(cause instanceof StorageUnavailable)) throw cause
    const detail = 'The object store does not answer, so nothing was changed. Try again.'
    throw new AppError('model_unavailable', { detail, retryAfterSeconds: 5 }, { cause })
  })
}

const shownToOwner = ({ id, showsPrompt }: Share): Share => ({ id, showsPrompt })

/** The share of an inference of the caller. Throws `inference_not_found`, or `not_found` if it is not shared. */
export async function ownShare(deps: RequestDeps, owner: Session, inferenceId: string): Promise<Share> {
  await ownInference(deps, owner, inferenceId)
  const share = await shareOf(deps.database, inferenceId)
  if (share === null) throw new AppError('not_found', { detail: 'This inference is not shared.' })
  return shownToOwner(share)
}

/**
 * Takes the share of an inference of the caller back, if there is one, with its files. Throws `inference_not_found`, and
 * `model_unavailable` while the object store does not answer.
 */
export async function takeBackShare(deps: RequestDeps, owner: Session, inferenceId: string): Promise<void> {
  await ownInference(deps, owner, inferenceId)
  const share = await shareOf(deps.database, inferenceId)
  if (share !== null) await whileStoreAnswers(() => removeShare(deps, share.id))
}

/**
 * Removes a share with its files. The files go first: without the row no one would know them. Returns false where there is none.
 * Throws `StorageUnavailable`; then it can be repeated.
 */
export async function removeShare({ database, store }: Pick<Deps, 'database' | 'store'>, id: string): Promise<boolean> {
  const found = await findShared(database, id)
  if (found === null) return false
  await removeFiles(store, found.record, found.share.objectKey)
  await deleteShare(database, id)
  return true
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
    output: shownOutput(deps.store, share, record),
    aspectRatio: textOrNull(record.input['aspect_ratio']),
    predictTimeMs: record.predictTimeMs,
    day: record.createdAt.toISOString().slice(0, 10),
  }
}

/** Its files are the copies. */
function shownOutput(store: ObjectStore, { objectKey }: StoredShare, { output }: InferenceRecord) {
  if (output === null || output.type === 'text') return output
  return { ...output, urls: output.urls.map((url) => store.publicUrl(keyBelow(objectKey, url))) }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
