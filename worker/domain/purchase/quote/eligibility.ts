import { AppError } from '../../../errors.ts'
import { isAdmin } from '../../auth/contract-account.ts'
import type { RequestDeps, Session } from '../../deps.ts'
import { type Unavailability, whyUnavailable } from '../../models/availability.ts'
import type { Model } from '../../models/model.ts'
import { tierAccess } from '../../staking/gate.ts'

/**
 * Checks that this caller may buy a run of this model now. Throws `AppError` `buyers_restricted`, `tier_required`,
 * `tier_unavailable` or `model_unavailable`; nothing was charged.
 */
export async function assertMayBuy(deps: RequestDeps, session: Session, model: Model): Promise<void> {
  if (deps.config.buyersRestricted) await assertAdmin(deps, session)
  await tierAccess(deps, session, model)
  await assertAvailable(deps, model)
  const now = deps.now()
  const down =
    deps.upstreams.isDown('provider', now) || (model.outputType !== 'text' && deps.upstreams.isDown('store', now))
  if (down) {
    throw new AppError('model_unavailable', {
      detail: 'The model cannot be run at this moment. Nothing was charged.',
      paymentState: 'unused',
      nextAction: 'wait_and_retry',
      retryAfterSeconds: 30,
    })
  }
}

async function assertAdmin(deps: RequestDeps, session: Session): Promise<void> {
  const admin = await isAdmin(deps, session)
  if (admin === true) return
  throw new AppError('buyers_restricted', {
    detail:
      admin === null
        ? 'This wallet could not be read from the chain. Nothing was charged; try again in a moment.'
        : 'This deployment takes test money; only its administrators may buy.',
    paymentState: 'unused',
    ...(admin === null ? { nextAction: 'wait_and_retry', retryAfterSeconds: 5 } : { nextAction: 'give_up' }),
  })
}

const REASONS: Record<Unavailability, string> = {
  retired: 'Its maker has retired this model.',
  gone: 'The provider no longer has this model.',
  changed: 'The provider has changed what this model takes, so a run would fail.',
}

/** Throws `AppError` `model_unavailable` for a model whose runs would fail now; nothing was charged. */
export async function assertAvailable(deps: RequestDeps, model: Model): Promise<void> {
  const reason = await whyUnavailable(deps, model)
  if (reason === null) return
  const instead = model.replacedBy === undefined ? '' : ` Use ${model.replacedBy}.`
  throw new AppError('model_unavailable', {
    detail: `${REASONS[reason]}${instead} Nothing was charged.`,
    paymentState: 'unused',
    nextAction: 'fix_request',
  })
}
