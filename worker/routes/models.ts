import { Hono } from 'hono'
import type { AppEnv, RequestDeps, Session } from '../context.ts'
import { priceOf } from '../inference/quote/price.ts'
import { SERVICE_LINKS } from '../middleware/problem.ts'
import { whyUnavailable } from '../models/availability.ts'
import { catalogue } from '../models/catalogue.ts'
import { modelHistory } from '../models/history.ts'
import type { Model } from '../models/model.ts'
import { describeModel } from '../models/stand-in.ts'
import { rateLimit } from '../rate-limits/enforce.ts'
import { readHoldings } from '../staking/gate.ts'
import { type Holdings, reachesTier } from '../staking/tier.ts'

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
