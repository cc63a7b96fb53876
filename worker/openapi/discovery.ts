import type { Config } from '../config/config.ts'
import { receiptSigner } from '../receipts/receipt.ts'
import { RECEIPT_DOMAIN, RECEIPT_TYPES } from '../receipts/receipt-type.ts'

/** What a program must know before its first call: `/.well-known/coinslot.json`. */
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
      problems: '/problems',
    },
  }
}

const INSTRUCTIONS =
  'Sign in first: GET /api/auth/nonce, sign an EIP-4361 message with the wallet that will pay, POST /api/auth/verify; keep the ' +
  'cookies and send the CSRF cookie as X-CSRF-Token. Then POST /api/inference answers 402 with the price (x402 version 2, scheme ' +
  'exact). POST /api/inference/estimate tells it to anybody. See /llms.txt and /api/openapi.json.'

/** Which resources take payments, as x402 directories read it: `/.well-known/x402`. */
export const x402Discovery = (config: Config) => ({
  version: 1,
  x402Version: 2,
  resources: [`${config.publicOrigins[0]}/api/inference`],
  instructions: INSTRUCTIONS,
})
