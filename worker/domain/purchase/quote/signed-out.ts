import { PAYMENT_IDENTIFIER } from '../../../x402/headers.ts'
import { authHints, makeChallenge, SIGN_IN_WITH_X, type SignInChallenge } from '../../auth/challenge.ts'
import type { RequestDeps } from '../../deps.ts'
import type { Model } from '../../models/model.ts'
import { bazaarExtension } from './bazaar.ts'

/** Where a request came in: the configured origin and the path, e.g. `/api/inference`. A challenge is bound to both. */
export interface Endpoint {
  origin: string
  path: string
}

/** The sign-in challenge alone, for a call that costs nothing. */
export const signInExtension = (deps: RequestDeps, endpoint: Endpoint, nonce?: string) => ({
  [SIGN_IN_WITH_X]: makeChallenge(deps.config, {
    ...endpoint,
    now: deps.now(),
    ...(nonce !== undefined && { nonce }),
  }),
})

/** The part of a 402, beside its quote, for a caller that is not signed in: how to sign in, and what the call does. */
export const signedOutExtensions = (challenge: SignInChallenge, model: Model, endpoint: Endpoint, entries: number) => ({
  [SIGN_IN_WITH_X]: challenge,
  'auth-hints': authHints(entries),
  [PAYMENT_IDENTIFIER]: { info: { required: false }, schema: {} },
  ...bazaarExtension(model, endpoint.path),
})
