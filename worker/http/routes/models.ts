import { Hono } from 'hono'
import type { RequestDeps, Session } from '../../domain/deps.ts'
import { whyUnavailable } from '../../domain/models/availability.ts'
import { catalogue } from '../../domain/models/catalogue.ts'
import { modelHistory } from '../../domain/models/history.ts'
import type { Model } from '../../domain/models/model.ts'
import { describeModel } from '../../domain/models/stand-in.ts'
import { priceOf } from '../../domain/purchase/quote/price.ts'
import { readHoldings } from '../../domain/staking/gate.ts'
import { type Holdings, reachesTier } from '../../domain/staking/tier.ts'
import type { AppEnv } from '../context.ts'
import { SERVICE_LINKS } from '../middleware/problem.ts'
import { rateLimit } from '../middleware/rate-limit.ts'

async function present(deps: RequestDeps, session: Session | null, model: Model, holdings: Holdings) {
  const [price, unavailability] = await Promise.all([priceOf(deps, session, model), whyUnavailable(deps, model)])
  return {
    id: model.id,
    name: model.name,
    task: model.task,
    tier: model.tier,
    locked: deps.config.enforceTiers && !reachesTier(model.tier, holdings),
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

const NOTHING: Holdings = { heldAtomic: 0n, stakedAtomic: 0n }

export const modelsRoutes = new Hono<AppEnv>().get('/', rateLimit('models'), async (c) => {
  const { deps, session } = c.var
  const isGated = session !== null && deps.config.enforceTiers
  // Read once before the models ask for them one by one.
  const [holdings] = await Promise.all([isGated ? readHoldings(deps, session) : NOTHING, modelHistory(deps)])
  const models = await Promise.all(catalogue.map((model) => present(deps, session, model, holdings)))
  if (session === null) c.header('Cache-Control', 'public, max-age=60')
  c.header('Vary', 'Cookie, Origin, SIGN-IN-WITH-X')
  c.header('Link', SERVICE_LINKS)
  return c.json({ models })
})
