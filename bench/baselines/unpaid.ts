import { Hono } from 'hono'
import { type BaselineEnv, x402Middleware } from './x402.ts'

type Env = BaselineEnv & Record<string, string>

/** A price behind the middleware. No call pays. The facilitator is a function in the same isolate. */
const app = new Hono<{ Bindings: Env }>()
app.use(
  x402Middleware(({ NETWORK }) => ({
    getSupported: async () => ({
      kinds: [{ x402Version: 2, scheme: 'exact', network: NETWORK }],
      extensions: [],
      signers: {},
    }),
    verify: async () => ({ isValid: true }),
    settle: async () => ({ success: true, transaction: `0x${'1'.repeat(64)}`, network: NETWORK }),
  })),
)
app.post('/api/inference', (c) => c.json({ id: 'nothing' }))

export default app
