import { chainIdOf } from '../../../protocol/networks.ts'
import { fieldsAt, isFields, textAt } from '../json-fields.ts'

/** A challenge of the service (x402's extension `sign-in-with-x`), as far as it is used: the rest of what is signed is known here. */
export interface SignInChallenge {
  nonce: string
  /** The chains that the service accepts a wallet on. */
  chainIds: readonly number[]
  /** When it expires by the service's clock, in milliseconds since 1970. */
  expiresAt: number
}

const EXTENSION = 'sign-in-with-x'
/** The longest time that a proof is good for. */
const LONGEST_MS = 5 * 60_000

/** The challenge in the JSON of a 402; undefined without one. `now` is the service's time. */
export function readSignInChallenge(required: unknown, now: number): SignInChallenge | undefined {
  const extension = fieldsAt(fieldsAt(isFields(required) ? required : {}, 'extensions'), EXTENSION)
  const info = fieldsAt(extension, 'info')
  const nonce = /^[A-Za-z0-9]{8,200}$/.exec(textAt(info, 'nonce') ?? '')?.[0]
  if (nonce === undefined) return undefined
  const expiresAt = Date.parse(textAt(info, 'expirationTime') ?? '')
  const latest = now + LONGEST_MS
  return {
    nonce,
    chainIds: chainIdsOf(extension['supportedChains']),
    expiresAt: Number.isNaN(expiresAt) ? latest : Math.min(expiresAt, latest),
  }
}

function chainIdsOf(list: unknown): number[] {
  const entries = Array.isArray(list) ? list.filter(isFields) : []
  return entries.flatMap((entry) => {
    const chainId = chainIdOf(textAt(entry, 'chainId') ?? '')
    return chainId === 0 ? [] : [chainId]
  })
}
