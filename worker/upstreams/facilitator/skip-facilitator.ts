import { transferDomain, transferTypedData } from '../../../protocol/eip3009.ts'
import { chainIdOf } from '../../../protocol/networks.ts'
import type { Config } from '../../config/config.ts'
import { checkAuthorization, inspectSignature, NONCE_USED_REASON, SIGNATURE_REASON } from '../../x402/authorization.ts'
import type { PaymentPayload, PaymentRequirements } from '../../x402/schemas.ts'
import { type Chain, ChainUnavailable } from '../chain/chain.ts'
import type { Facilitator, VerifyOutcome } from './facilitator.ts'

interface SkipFacilitatorDeps {
  config: Pick<Config, 'networks'>
  chain: Pick<Chain, 'authorizationStatus' | 'verifyTypedData'>
  now(): Date
  newId(): string
}

const DEV_CHAIN_ID = 31337

/**
 * Replaces the facilitator on the dev chain while no facilitator is configured: all of a payment is checked, no money
 * moves, and a random UUID stands for the transaction hash. Serves no other chain.
 */
export function makeSkipFacilitator(deps: SkipFacilitatorDeps): Facilitator {
  const networks = deps.config.networks.filter(({ chainId }) => chainId === DEV_CHAIN_ID).map(({ network }) => network)
  const verify = async (payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyOutcome> => {
    if (!networks.includes(requirements.network)) return { kind: 'invalid', reason: 'invalid_network' }
    try {
      const reason = await refusal(deps, payload, requirements)
      return reason === null ? { kind: 'valid' } : { kind: 'invalid', reason }
    } catch (error) {
      if (error instanceof ChainUnavailable) return { kind: 'unavailable', detail: error.message }
      throw error
    }
  }
  return {
    supportedNetworks: async () => new Set(networks),
    verify,
    async settle(payload, requirements) {
      const verdict = await verify(payload, requirements)
      if (verdict.kind === 'valid') return { kind: 'settled', transaction: deps.newId() }
      return verdict.kind === 'invalid'
        ? { kind: 'refused', reason: verdict.reason }
        : { kind: 'unknown', reason: verdict.detail }
    },
  }
}

async function refusal(
  { chain, now }: SkipFacilitatorDeps,
  payload: PaymentPayload,
  requirements: PaymentRequirements,
): Promise<string | null> {
  const { authorization, signature } = payload.payload
  const reason = checkAuthorization(authorization, requirements, now())
  if (reason !== null) return reason
  const chainId = chainIdOf(requirements.network)
  const domain = transferDomain(requirements)
  const { kind } = await inspectSignature(authorization, signature, domain)
  if (kind === 'high_s') return SIGNATURE_REASON
  if (kind !== 'recovered') {
    const typedData = transferTypedData(authorization, domain)
    const holds = await chain.verifyTypedData(chainId, authorization.from, typedData, signature)
    if (!holds) return SIGNATURE_REASON
  }
  const { from: payer, nonce } = authorization
  const { spent } = await chain.authorizationStatus({ chainId, asset: requirements.asset, payer, nonce })
  return spent ? NONCE_USED_REASON : null
}
