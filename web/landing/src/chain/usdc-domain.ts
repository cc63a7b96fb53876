import { keccak_256 } from '@noble/hashes/sha3'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils'
import type { Hex } from 'viem'
import { callOrNothing } from '../../../shared/wallet/chain.ts'
import type { Provider } from '../../../shared/wallet/provider.ts'
import type { SaleConfig } from '../config.ts'
import { encodeCall, USDC, wordOf, wordsIn } from './calls.ts'

export const DOMAIN_FIELDS = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/**
 * The domain in which USDC takes permits, and the owner's next nonce. Null when the token has none, or signs in another one. Throws
 * when no node answers: that says nothing about the token.
 */
export async function readDomain(
  provider: Provider,
  { usdc, chainId }: Pick<SaleConfig, 'usdc' | 'chainId'>,
  owner: Hex,
) {
  const ask = (data: Hex): Promise<Hex> => callOrNothing(provider, { to: usdc, data })
  const answers = await Promise.all([
    ask(USDC.name),
    ask(USDC.version),
    ask(USDC.DOMAIN_SEPARATOR),
    ask(encodeCall(USDC.nonces, owner)),
  ])
  const [name, version] = answers.map(textIn)
  const [, , separator, nonce] = answers.map((answer) => wordsIn(answer)?.[0])
  if (name == null || version == null || nonce === undefined) return null
  const domain = { name, version, chainId, verifyingContract: usdc }
  return separatorOf(domain) === separator ? { domain, nonce } : null
}

/** The text that a contract answers: its place, its length and its bytes. Null when it is anything else. */
function textIn(data: Hex): string | null {
  const [place, length] = wordsIn(data) ?? []
  if (place !== BigInt(WORD_BYTES) || length === undefined) return null
  const bytes = hexToBytes(data.slice(2)).subarray(2 * WORD_BYTES)
  return length > bytes.length ? null : new TextDecoder().decode(bytes.subarray(0, Number(length)))
}
const WORD_BYTES = 32

/** The domain separator of EIP-712. */
function separatorOf(domain: { name: string; version: string; chainId: number; verifyingContract: Hex }): bigint {
  const type = `EIP712Domain(${DOMAIN_FIELDS.map((field) => `${field.type} ${field.name}`).join(',')})`
  const hashes = [type, domain.name, domain.version].map((text) => bytesToHex(keccak_256(utf8ToBytes(text))))
  const words = [...hashes, wordOf(BigInt(domain.chainId)), wordOf(domain.verifyingContract)]
  return BigInt(`0x${bytesToHex(keccak_256(hexToBytes(words.join(''))))}`)
}
