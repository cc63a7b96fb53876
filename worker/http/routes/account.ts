import { Hono } from 'hono'
import { enforceRateLimit } from '../../domain/rate-limits/enforce.ts'
import { readAccount } from '../../domain/staking/account.ts'
import { rateLimitKey } from '../../lib/client-address.ts'
import type { AppEnv } from '../context.ts'
import { callerOf, requireSessionOrChallenge } from '../middleware/session.ts'

export const accountRoutes = new Hono<AppEnv>().get('/', requireSessionOrChallenge, async (c) => {
  const session = callerOf(c)
  // A wallet costs nothing to make: proofs count for their address too, as sign-ins do.
  if (c.get('proof') !== null) await enforceRateLimit(c.var.deps, 'account', rateLimitKey(c.get('clientAddress')))
  await enforceRateLimit(c.var.deps, 'account', session.address)
  return c.json(await readAccount(c.var.deps, session))
})
