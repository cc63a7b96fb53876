import { fromHeader } from '../../../protocol/base64.ts'
import { chainIdOf } from '../../../protocol/networks.ts'
import type { Hex } from '../account.ts'
import { type Fields, fieldsAt, isFields, textAt } from '../json-fields.ts'
import { CoinslotError } from '../problem.ts'
import { readSignInChallenge, type SignInChallenge } from '../session/challenge.ts'

/** An entry of `accepts` that this client can sign. */
export interface Offer {
  network: string
  chainId: number
  asset: Hex
  /** Atomic units. */
  amount: bigint
  payTo: Hex
  /** EIP-712 name and version of the asset. */
  name: string
  version: string
  /** The whole entry. The payment repeats it unchanged. */
  raw: Fields
}

/** The price of a request, from the `Payment-Required` header. */
export interface Challenge {
  offers: readonly Offer[]
  /** Unix seconds at which the quote expires, if it says so. */
  expiresAt: number | undefined
  /** How to prove the wallet. Undefined where a session has done that. */
  signIn: SignInChallenge | undefined
  resource: unknown
  extensions: unknown
}

const isAddress = (text: string | undefined): text is Hex => /^0x[0-9a-fA-F]{40}$/.test(text ?? '')

/**
 * Reads the challenge of a 402 at the service's time `now`, without offers that this client cannot sign. Throws when it is not x402
 * version 2.
 */
export function readChallenge(header: string | null, body: unknown, now: number): Challenge {
  const from = header === null ? body : fromHeader(header)
  const list = isFields(from) ? from['accepts'] : undefined
  if (!isFields(from) || from['x402Version'] !== 2 || !Array.isArray(list)) {
    throw new CoinslotError('the service asked for a payment in a form that is not x402 version 2')
  }
  const expiresAt = Date.parse(
    textAt(fieldsAt(fieldsAt(fieldsAt(from, 'extensions'), 'quote'), 'info'), 'expiresAt') ?? '',
  )
  return {
    offers: list.map(readOffer).filter((offer) => offer !== null),
    expiresAt: Number.isNaN(expiresAt) ? undefined : Math.floor(expiresAt / 1_000),
    signIn: readSignInChallenge(from, now),
    resource: from['resource'],
    extensions: from['extensions'],
  }
}

function readOffer(raw: unknown): Offer | null {
  if (!isFields(raw) || raw['scheme'] !== 'exact') return null
  const extra = fieldsAt(raw, 'extra')
  const network = textAt(raw, 'network') ?? ''
  const chainId = chainIdOf(network)
  const amount = /^[1-9]\d{0,77}$/.exec(textAt(raw, 'amount') ?? '')?.[0]
  const [asset, payTo] = [textAt(raw, 'asset'), textAt(raw, 'payTo')]
  const [name, version] = [textAt(extra, 'name'), textAt(extra, 'version')]
  if (chainId === 0 || amount === undefined || name === undefined || version === undefined) return null
  if (!isAddress(asset) || !isAddress(payTo)) return null
  return { network, chainId, asset, amount: BigInt(amount), payTo, name, version, raw }
}
