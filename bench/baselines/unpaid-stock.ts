import { checkBody, stockApp } from './stock-parts.ts'
import { x402Middleware } from './x402.ts'

/** A price from stock parts. No call pays. The facilitator is a function in the same isolate. */
const app = stockApp()
app.use(
  '/api/inference',
  checkBody,
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
