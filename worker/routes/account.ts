import { Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { rateLimitKey } from '../lib/client-address.ts'
import { callerOf, requireSessionOrChallenge } from '../middleware/session.ts'
import { enforceRateLimit } from '../rate-limits/enforce.ts'
import { readAccount } from '../staking/account.ts'

export const accountRoutes = new Hono<AppEnv>().get('/', requireSessionOrChallenge, async (c) => {
  const session = callerOf(c)
  // A wallet costs nothing to make: proofs count for their address too, as sign-ins do.
  if (c.get('proof') !== null) await enforceRateLimit(c.var.deps, 'account', rateLimitKey(c.get('clientAddress')))
  await enforceRateLimit(c.var.deps, 'account', session.address)
  return c.json(await readAccount(c.var.deps, session))
})
