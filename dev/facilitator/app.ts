import { createHash, timingSafeEqual } from 'node:crypto'
import { x402Facilitator } from '@x402/core/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Hex } from 'viem'
import { type AllowedNetwork, refusalOf } from './allow-list.ts'
import { requestSchema } from './request.ts'
import { createSigner } from './signer.ts'

export interface FacilitatorOptions {
  networks: readonly AllowedNetwork[]
  /** Pays the gas. */
  privateKey: Hex
  /** When set, `/verify` and `/settle` want it as a bearer. */
  token?: string
  confirmationTimeoutMs?: number
  pollingIntervalMs?: number
  maxGas?: bigint
  maxFeePerGas?: bigint
  log?(entry: Record<string, unknown>): void
}

/**
 * An x402 version 2 facilitator for the scheme `exact` that settles only what its allow-list names. A refusal is always a typed
 * body (`isValid`/`success` false); any other answer means that nothing is known, and the chain decides.
 */
export function createFacilitator(options: FacilitatorOptions): Hono {
  const facilitator = registerNetworks(options)
  const log = options.log ?? (() => undefined)
  const app = new Hono()

  app.get('/supported', (c) => c.json(facilitator.getSupported()))

  app.use('/verify', bodyLimit({ maxSize: 64 * 1024, onError: (c) => c.json(invalid('verify'), 413) }))
  app.use('/settle', bodyLimit({ maxSize: 64 * 1024, onError: (c) => c.json(invalid('settle'), 413) }))
  for (const call of ['verify', 'settle'] as const) {
    app.post(`/${call}`, async (c) => {
      if (!isAuthorized(options.token, c)) return c.json({ error: 'unauthorized' }, 401)
      const body = requestSchema.safeParse(await c.req.json().catch(() => undefined))
      if (!body.success) return c.json(invalid(call), 400)
      const { paymentPayload, paymentRequirements } = body.data
      const { from, nonce } = paymentPayload.payload.authorization
      const refusal = refusalOf(options.networks, paymentPayload, paymentRequirements)
      const answer =
        refusal === null
          ? await facilitator[call](paymentPayload, paymentRequirements)
          : refused(call, refusal, paymentRequirements.network, from)
      log({ call, payer: from, nonce, ...answer })
      return c.json(answer)
    })
  }

  app.notFound((c) => c.json({ error: 'not_found' }, 404))
  app.onError((error, c) => {
    log({ call: c.req.path, error: error.message })
    return c.json({ error: 'unavailable' }, 503)
  })
  return app
}

function registerNetworks(options: FacilitatorOptions): x402Facilitator {
  const facilitator = new x402Facilitator()
  for (const { network, rpcUrl } of options.networks) {
    const signer = createSigner({
      chainId: Number(network.slice('eip155:'.length)),
      rpcUrl,
      privateKey: options.privateKey,
      confirmationTimeoutMs: options.confirmationTimeoutMs ?? 30_000,
      pollingIntervalMs: options.pollingIntervalMs ?? 1_000,
      maxGas: options.maxGas ?? 500_000n,
      maxFeePerGas: options.maxFeePerGas ?? 500_000_000_000n,
    })
    facilitator.register(network, new ExactEvmScheme(signer, { simulateInSettle: true }))
  }
  return facilitator
}

type Call = 'verify' | 'settle'

const invalid = (call: Call) => refused(call, 'invalid_payload', '', undefined)

function refused(call: Call, reason: string, network: string, payer: string | undefined) {
  return call === 'verify'
    ? { isValid: false, invalidReason: reason, payer }
    : { success: false, errorReason: reason, transaction: '', network, payer }
}

function isAuthorized(token: string | undefined, c: Context): boolean {
  if (token === undefined) return true
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(c.req.header('authorization') ?? ''), digest(`Bearer ${token}`))
}
