import type { Address, Hex } from 'viem'
import type { PlainRpc } from '../../../shared/chain-reads/plain-rpc.ts'

/**
 * The first four bytes of a call for each function that the pages use, and the topic of a purchase. They are written out: to hash the
 * signatures takes a phone longer than to show the page. A test compares them with the ABI.
 */
export const PRESALE = {
  state: '0xc19d93fb',
  raised: '0xf0ea4bfc',
  totalSold: '0x9106d7ba',
  softCap: '0x906a26e0',
  minPurchase: '0x33b5b62e',
  pausedUntil: '0xda748b10',
  coolingOff: '0xb25487ee',
  lastPurchaseBlock: '0x05c8c51f',
  phaseCount: '0xe4faf288',
  vault: '0xfbfa77cf',
  phase: '0x135f8aa7',
  soldIn: '0xaf4abbf5',
  bought: '0x667022fd',
  positionIn: '0xe622c23f',
  quote: '0x315f1a41',
  buy: '0xd6febde8',
  buyWithPermit: '0x96eec7f2',
  refund: '0x590e1ae3',
  finalize: '0x4bb278f3',
} as const
export const CLAIM_MODULE = {
  tge: '0xa7497fa5',
  tgeBps: '0xf49e2514',
  cliff: '0x13d033c0',
  duration: '0x0fb5a6b4',
  claimable: '0x402914f5',
  pausedUntil: '0xda748b10',
  notice: '0x9c94e6c6',
  claim: '0x4e71d92d',
} as const
export const PRESALE_VAULT = { routes: '0xb1ffd471' } as const
export const USDC = {
  balanceOf: '0x70a08231',
  approve: '0x095ea7b3',
  allowance: '0xdd62ed3e',
  nonces: '0x7ecebe00',
  name: '0x06fdde03',
  version: '0x54fd4d50',
  DOMAIN_SEPARATOR: '0x3644e515',
} as const
export const PURCHASED: Hex = '0xbfe84e63e0b27afbb7a6e9767f7b9b412abbb623c69227d600e52bbe72c5c759'

const WORD_DIGITS = 64
const HEX_WORDS = /^0x([0-9a-f]{64})+$/i

export const asHex = (value: bigint): Hex => `0x${value.toString(16)}`

/** The 32-byte words of hex data, or null when it is anything else. */
export function wordsIn(data: unknown): bigint[] | null {
  if (typeof data !== 'string' || !HEX_WORDS.test(data)) return null
  return Array.from({ length: (data.length - 2) / WORD_DIGITS }, (_, index) =>
    BigInt(`0x${data.slice(2 + index * WORD_DIGITS, 2 + (index + 1) * WORD_DIGITS)}`),
  )
}

/** The address in a word, in lower case. */
export const addressIn = (word: bigint): Address => `0x${word.toString(16).padStart(40, '0').slice(-40)}`

/** A value as a 32-byte word, without `0x`. */
export const wordOf = (value: bigint | Hex): string => BigInt(value).toString(16).padStart(WORD_DIGITS, '0')

/** The data of a call. Every function that is called here takes numbers, addresses and hashes alone, a word each. */
export const encodeCall = (selector: Hex, ...args: readonly (bigint | Hex)[]): Hex =>
  `${selector}${args.map(wordOf).join('')}`

/** The words that a contract answers. Every answer that is read here consists of numbers and addresses alone. */
export async function readWords(
  rpc: PlainRpc,
  to: Address,
  selector: Hex,
  ...args: (bigint | Hex)[]
): Promise<bigint[]> {
  const found = wordsIn(await rpc('eth_call', [{ to, data: encodeCall(selector, ...args) }, 'latest']))
  if (found === null) throw new Error(`${to} does not answer as the contract does`)
  return found
}

/** The one word that a contract answers. */
export const readWord = async (rpc: PlainRpc, to: Address, selector: Hex): Promise<bigint> =>
  (await readWords(rpc, to, selector))[0] ?? 0n
