import { Hono } from 'hono'
import type { RequestDeps, Session } from '../../domain/deps.ts'
import { whyUnavailable } from '../../domain/models/availability.ts'
import { catalogue } from '../../domain/models/catalogue.ts'
import { modelHistory } from '../../domain/models/history.ts'
import type { Model } from '../../domain/models/model.ts'
import { describeModel } from '../../domain/models/stand-in.ts'
import { priceOf } from '../../domain/purchase/quote/price.ts'
import { readHoldings, requirementOf } from '../../domain/staking/gate.ts'
import { type Holdings, reachesTier } from '../../domain/staking/tier.ts'
import type { AppEnv } from '../context.ts'
import { SERVICE_LINKS } from '../middleware/problem.ts'
import { rateLimit } from '../middleware/rate-limit.ts'

/** What the caller has; null for a caller who is signed out. */
type Read = (Holdings & { failed: boolean }) | null

const NOTHING: Holdings = { heldAtomic: 0n, stakedAtomic: 0n }

/** What a model takes, whether the caller has it (null: signed out, or not readable), and whether it counts already. */
function lockOf({ config }: RequestDeps, { tier }: Model, read: Read) {
  const hasIt = reachesTier(tier, read ?? NOTHING)
  const met = hasIt || (read !== null && !read.failed) ? hasIt : null
  return { tier, ...requirementOf(tier), met, enforced: config.enforceTiers }
}

async function present(deps: RequestDeps, session: Session | null, model: Model, read: Read) {
  const lock = lockOf(deps, model, read)
  const [price, unavailability] = await Promise.all([priceOf(deps, session, model), whyUnavailable(deps, model)])
  return {
    id: model.id,
    name: model.name,
    task: model.task,
    tier: model.tier,
    locked: lock.enforced && lock.met !== true,
    lock,
    description: describeModel(model, deps.config),
    outputType: model.outputType,
    inputSchema: model.inputJsonSchema,
    example: model.examples[0] ?? {},
    estimatedSeconds: Number(price.estimatedSeconds),
    estimatedCostUsdc: price.estimatedCostUsdc,
    available: unavailability === null,
    deprecatedAt: model.deprecatedAt ?? null,
    replacedBy: model.replacedBy ?? null,
  }
}

export const modelsRoutes = new Hono<AppEnv>().get('/', rateLimit('models'), async (c) => {
  const { deps, session } = c.var
  // Read once before the models ask for them one by one.
  const [read] = await Promise.all([session === null ? null : readHoldings(deps, session), modelHistory(deps)])
  const models = await Promise.all(catalogue.map((model) => present(deps, session, model, read)))
  if (session === null) c.header('Cache-Control', 'public, max-age=60')
  c.header('Vary', 'Cookie, Origin, SIGN-IN-WITH-X')
  c.header('Link', SERVICE_LINKS)
  return c.json({ models })
})
