import { Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { callerOf, requireSessionOrChallenge } from '../middleware/session.ts'
import { enforceRateLimit } from '../rate-limits/enforce.ts'
import { readAccount } from '../staking/account.ts'

export const accountRoutes = new Hono<AppEnv>().get('/', requireSessionOrChallenge, async (c) => {
  const session = callerOf(c)
  await enforceRateLimit(c.var.deps, 'account', session.address)
  return c.json(await readAccount(c.var.deps, session))
})
