import { makeMonths } from '../../../../db/queries/journal-months.ts'
import { describeError } from '../../../lib/log.ts'
import type { RequestDeps } from '../../deps.ts'

const DAY_MS = 24 * 3_600_000

/** When each isolate looks next. */
const nextLook = new WeakMap<object, number>()

/**
 * Makes the journal's partitions of the coming months. The scheduled job calls it; an isolate looks once a day, and there are two months
 * in hand. Never throws: without the database the next run does it.
 */
export async function keepMonths(deps: RequestDeps): Promise<void> {
  const now = deps.now()
  if (now.getTime() < (nextLook.get(deps.upstreams) ?? 0)) return
  try {
    const made = await makeMonths(deps.database, now)
    if (made > 0) deps.log.info('journal.months_made', { months: made })
    nextLook.set(deps.upstreams, now.getTime() + DAY_MS)
  } catch (cause) {
    deps.log.warn('journal.months_not_made', { cause: describeError(cause) })
  }
}
