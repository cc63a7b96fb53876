import { Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { callerOf, requireSessionOrChallenge } from '../middleware/session.ts'
import { readAccount } from '../staking/account.ts'

export const accountRoutes = new Hono<AppEnv>().get('/', requireSessionOrChallenge, async (c) =>
  c.json(await readAccount(c.var.deps, callerOf(c))),
)
