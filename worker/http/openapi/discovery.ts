import { RECEIPT_DOMAIN, RECEIPT_TYPES } from '../../../protocol/receipt.ts'
import type { Config } from '../../config/config.ts'
import { SIGN_IN_WITH_X } from '../../domain/auth/challenge.ts'
import type { RequestDeps } from '../../domain/deps.ts'
import { catalogue } from '../../domain/models/catalogue.ts'
import { bazaarInfo } from '../../domain/purchase/quote/bazaar.ts'
import { offerFor } from '../../domain/purchase/quote/offer.ts'
import { receiptSigner } from '../../domain/receipts/receipt.ts'

/** The facts that a program needs before its first call: `/.well-known/coinslot.json`. */
export function serviceFacts(config: Config) {
  const signer = receiptSigner(config)
  return {
    name: 'Coinslot',
    origin: config.publicOrigins[0],
    networks: config.networks.map(({ network, chainId, name, usdc }) => ({
      network,
      chainId,
      name,
      usdc: usdc.address,
    })),
    payTo: config.receiverAddress,
    receipts: signer === null ? null : { signer, domain: RECEIPT_DOMAIN, primaryType: 'Receipt', types: RECEIPT_TYPES },
    links: {
      openapi: '/api/openapi.json',
      models: '/api/models',
      docs: '/docs',
      llms: '/llms.txt',
      ...(config.mcpRoutes && { mcp: '/mcp' }),
      problems: '/problems',
    },
  }
}

/** How to buy, for programs that read this before anything else. */
export const INSTRUCTIONS =
  'POST /api/inference without payment answers 402 with the price (x402 version 2, scheme exact) and a sign-in challenge. Sign it, ' +
  'send it as SIGN-IN-WITH-X, and pay. A browser signs in once instead: GET /api/auth/nonce, POST /api/auth/verify. ' +
  'POST /api/inference/estimate shows the price to anyone. See /llms.txt and /openapi.json.'

const PATH = '/api/inference'

/** Which resources take payments, as x402 directories read it: `/.well-known/x402`. */
export const x402Discovery = (config: Config) => ({
  version: 1,
  x402Version: 2,
  resources: [config.publicOrigins[0] + PATH],
  instructions: INSTRUCTIONS,
})

/** The same with price, input and output of the first model, as catalogues list them: `/.well-known/x402.json`. */
export async function x402Catalogue(deps: RequestDeps) {
  const [model] = catalogue
  if (model === undefined) throw new Error('the catalogue is empty')
  const { accepts } = await offerFor(deps, null, model)
  return {
    x402Version: 2,
    lastUpdated: deps.now().toISOString(),
    items: [
      {
        resource: deps.config.publicOrigins[0] + PATH,
        type: 'http',
        accepts,
        ...bazaarInfo(model),
        requires: [SIGN_IN_WITH_X],
      },
    ],
  }
}

const SECURITY_TXT_DAYS = 180

/** `/.well-known/security.txt` (RFC 9116). Reports go to where the documentation of this deployment says. */
export function securityText({ publicOrigins: [origin] }: Config, now: Date): string {
  const day = new Date(now.getTime() + SECURITY_TXT_DAYS * 86_400_000).toISOString().slice(0, 10)
  const fields = [
    `Contact: ${origin}/docs`,
    `Expires: ${day}T00:00:00Z`,
    'Preferred-Languages: en',
    `Canonical: ${origin}/.well-known/security.txt`,
  ]
  return `${fields.join('\n')}\n`
}
