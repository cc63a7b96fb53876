import {
  type FacilitatorClient,
  type RoutesConfig,
  x402HTTPResourceServer,
  x402ResourceServer,
} from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddlewareFromHTTPServer } from '@x402/hono'
import type { MiddlewareHandler } from 'hono'

/** Variables of a baseline: the same facts as for our worker. */
export interface BaselineEnv {
  NETWORK: `eip155:${number}`
  USDC: string
  PAY_TO: string
}

/** The route of the bench, one cent in USDC, paid before the handler runs. */
export const routesOf = ({ NETWORK, USDC, PAY_TO }: BaselineEnv): RoutesConfig => ({
  'POST /api/inference': {
    accepts: {
      scheme: 'exact',
      network: NETWORK,
      payTo: PAY_TO,
      price: { amount: '10000', asset: USDC, extra: { name: 'USD Coin', version: '2' } },
      maxTimeoutSeconds: 60,
      extra: { paymentFlow: 'upfront' },
    },
    description: 'text-to-image · FLUX schnell',
    mimeType: 'application/json',
  },
})

/**
 * `paymentMiddleware` as documented, with one change: it keeps the promise of its start across requests, which
 * workerd does not allow. So its own start is switched off, and the first request starts it. `addHooks` may add hooks of the library.
 */
export function x402Middleware(
  makeFacilitator: (env: BaselineEnv & Record<string, string>) => FacilitatorClient,
  addHooks: (server: x402ResourceServer, env: BaselineEnv & Record<string, string>) => void = () => {},
) {
  let server: x402HTTPResourceServer | undefined
  let middleware: MiddlewareHandler | undefined
  const handler: MiddlewareHandler<{ Bindings: BaselineEnv & Record<string, string> }> = async (c, next) => {
    if (server === undefined || middleware === undefined) {
      const resources = new x402ResourceServer(makeFacilitator(c.env)).register(c.env.NETWORK, new ExactEvmScheme())
      addHooks(resources, c.env)
      server = new x402HTTPResourceServer(resources, routesOf(c.env))
      await server.initialize()
      middleware = paymentMiddlewareFromHTTPServer(server, undefined, undefined, false)
    }
    return middleware(c, next)
  }
  return handler
}
