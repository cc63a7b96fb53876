import type { RequestProof } from '../domain/auth/request-proof.ts'
import type { RequestDeps, Session } from '../domain/deps.ts'
import type { Log } from '../lib/log.ts'
import type { Timings } from './timings.ts'

/** Hono's environment: what middleware sets on the context. */
export interface AppEnv {
  /** Variables, secrets and bindings of the platform; only `env.ts` and `deps.ts` read them. */
  Bindings: object
  Variables: {
    requestId: string
    /** The caller's network address as the platform vouches for it; `unknown` where it does not. */
    clientAddress: string
    log: Log
    /** Not there while the deployment is misconfigured. */
    timings?: Timings
    deps: RequestDeps
    /** The configured origin that the request came in through. */
    origin: string
    /** The request's cookies. */
    cookies: Readonly<Record<string, string>>
    session: Session | null
    /** The session's proof where it came with this very request, in `SIGN-IN-WITH-X`. */
    proof: RequestProof | null
    /** The model that the request names, if it names one. */
    modelId?: string
  }
}
