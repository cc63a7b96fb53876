import type { Facilitator, SettleOutcome, VerifyOutcome } from '../../../worker/upstreams/facilitator/facilitator.ts'
import type { PaymentPayload, PaymentRequirements } from '../../../worker/x402/schemas.ts'

/** A facilitator that agrees with everything until `verifies` or `settles` say otherwise. */
export function makeFakeFacilitator() {
  const state = {
    networks: new Set<string>(['eip155:84532', 'eip155:11155111', 'eip155:31337']),
    verified: [] as { payload: PaymentPayload; requirements: PaymentRequirements }[],
    settled: [] as { payload: PaymentPayload; requirements: PaymentRequirements }[],
    verifies: async (): Promise<VerifyOutcome> => ({ kind: 'valid' }),
    settles: async (count: number): Promise<SettleOutcome> => ({
      kind: 'settled',
      transaction: transactionHash(count),
    }),
  }
  const facilitator: Facilitator = {
    supportedNetworks: async () => state.networks,
    verify: async (payload, requirements) => {
      state.verified.push({ payload, requirements })
      return state.verifies()
    },
    settle: async (payload, requirements) => {
      state.settled.push({ payload, requirements })
      return state.settles(state.settled.length)
    },
  }
  return Object.assign(facilitator, { state })
}

/** `0x00…01` for 1. */
export const transactionHash = (count: number): `0x${string}` => `0x${count.toString(16).padStart(64, '0')}`
