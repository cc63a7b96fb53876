import type { Config } from '../../config/config.ts'
import { makeNonce } from './nonce.ts'

/** x402's extension for a session per request. */
export const SIGN_IN_WITH_X = 'sign-in-with-x'
/** How old the `issuedAt` of a proof may be, and how long a challenge says that it lasts. */
export const PROOF_SECONDS = 300
const STATEMENT = 'Sign in to Coinslot.'

/** The message that a caller signs to prove its wallet for one request: `extensions["sign-in-with-x"]` of a 402. */
export interface SignInChallenge {
  info: {
    domain: string
    uri: string
    statement: string
    version: '1'
    nonce: string
    issuedAt: string
    expirationTime: string
  }
  supportedChains: { chainId: string; type: 'eip191' }[]
  schema: Record<string, never>
}

/**
 * A challenge for one path of this service, e.g. `/api/inference`, with a fresh nonce or the one given. Costs no call.
 * Source: x402 specification, extension sign-in-with-x.
 */
export function makeChallenge(
  config: Config,
  request: { origin: string; path: string; now: Date; nonce?: string },
): SignInChallenge {
  const { origin, path, now } = request
  return {
    info: {
      domain: new URL(origin).host,
      uri: origin + path,
      statement: STATEMENT,
      version: '1',
      nonce: request.nonce ?? makeNonce(config, now, 'challenge'),
      issuedAt: now.toISOString(),
      expirationTime: new Date(now.getTime() + PROOF_SECONDS * 1000).toISOString(),
    },
    supportedChains: config.networks.map(({ network }) => ({ chainId: network, type: 'eip191' })),
    schema: {},
  }
}

/** `extensions["auth-hints"]`: the first `count` entries of `accepts` need a sign-in beside the payment. */
export const authHints = (count: number) => ({
  info: {
    authRequirements: [
      { acceptIndexes: Array.from({ length: count }, (_, index) => index), methods: [{ type: SIGN_IN_WITH_X }] },
    ],
  },
  schema: {},
})
