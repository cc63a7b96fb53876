/** The part of an EIP-1193 wallet that this site uses. */
export interface Provider {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): unknown
  removeListener?(event: string, listener: (value: unknown) => void): unknown
}

/** A wallet to choose. `id` is its reverse-DNS name, or `injected` for a bare `window.ethereum`. */
export interface WalletOption {
  id: string
  name: string
  /** A `data:image/…` address, or null. */
  icon: string | null
  provider: Provider
  /** Set for a wallet on another device. */
  remote?: Remote
}

/** The connection to a wallet on another device. */
interface Remote {
  /** Calls `show` with each address that the wallet scans or opens to connect. Returns the function that stops it. */
  onUri(show: (uri: string) => void): () => void
  disconnect(): Promise<void>
}

export function isProvider(value: unknown): value is Provider {
  return typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function'
}

/** The first account of `eth_accounts` or `eth_requestAccounts`. Null if the wallet is locked or the answer is malformed. */
export function firstAccount(accounts: unknown): string | null {
  const [first]: unknown[] = Array.isArray(accounts) ? accounts : []
  return typeof first === 'string' && /^0x[0-9a-fA-F]{40}$/.test(first) ? first : null
}

/** Reads a chain id: hex string, decimal string or number. Null if it is malformed. */
export function readChainId(value: unknown): number | null {
  const id = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

export function sameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** True only in the local stack's build. A production build refuses the flag, and does not contain the code behind it. */
export const DEV_CHAIN = import.meta.env.NEXT_PUBLIC_ENABLE_DEV_CHAIN === 'true'

export const DEMO_ID = 'local.coinslot.demo'

/** True for the demo wallet, which a production build does not have. */
export function isDemo(option: WalletOption): boolean {
  return DEV_CHAIN && option.id === DEMO_ID
}

/** `0x19E7…ff2A`: first six and last four characters. */
export function shortHex(hex: string): string {
  return hex.length > 14 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex
}
