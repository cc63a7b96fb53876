import { type Fields, fields, list, maybeFields, maybeStr, str } from '../shape.ts'

/** One entry of `accepts`: what may be signed. `amount` is in atomic units of `asset`. */
export interface Offer {
  network: string
  chainId: number
  asset: string
  amount: string
  payTo: string
  /** EIP-712 domain of the asset. */
  name: string
  version: string
  /** The entry as it came; it goes back whole as `accepted`. */
  entry: Fields
}

/** The price of one request as the server promised it, with all that a payment must echo. */
export interface Quote {
  offers: Offer[]
  resource: Fields | null
  extensions: Fields
  /** Until when the promise holds; null where the server gave none. */
  expiresAt: Date | null
}

/**
 * Reads the `Payment-Required` header (base64 of JSON in UTF-8). Entries that this site cannot sign are left out.
 * Throws when it is not readable or nothing payable is left.
 */
export function readQuote(header: string): Quote {
  const bytes = Uint8Array.from(atob(header), (char) => char.charCodeAt(0))
  const from = fields(JSON.parse(new TextDecoder().decode(bytes)), 'Payment-Required')
  const extensions = maybeFields(from, 'extensions') ?? {}
  const info = maybeFields(maybeFields(extensions, 'quote') ?? {}, 'info') ?? {}
  const expiresAt = Date.parse(maybeStr(info, 'expiresAt') ?? '')
  const offers = list(from, 'accepts', readOffer).filter((offer) => offer !== null)
  if (offers.length === 0) throw new Error('no payable entry')
  return {
    offers,
    resource: maybeFields(from, 'resource'),
    extensions,
    expiresAt: Number.isNaN(expiresAt) ? null : new Date(expiresAt),
  }
}

function readOffer(value: unknown): Offer | null {
  const entry = fields(value, 'accepts')
  const extra = maybeFields(entry, 'extra') ?? {}
  const network = str(entry, 'network')
  const chainId = /^eip155:([1-9]\d{0,15})$/.exec(network)?.[1]
  if (entry['scheme'] !== 'exact' || chainId === undefined) return null
  if (!/^[1-9]\d{0,77}$/.test(str(entry, 'amount'))) return null
  return {
    network,
    chainId: Number(chainId),
    asset: str(entry, 'asset'),
    amount: str(entry, 'amount'),
    payTo: str(entry, 'payTo'),
    name: str(extra, 'name'),
    version: str(extra, 'version'),
    entry,
  }
}

/** AIC has its own version hint (`1`); everything else here is USDC. */
export function symbolOf(offer: { name: string; version: string }): 'USDC' | 'AIC' {
  return offer.version === '1' || /AIC/i.test(offer.name) ? 'AIC' : 'USDC'
}

export function decimalsOf(offer: { name: string; version: string }): number {
  return symbolOf(offer) === 'AIC' ? 18 : 6
}
