/**
 * The address with the letter case of EIP-55. An address with both cases already has it. For one in lower or upper case, which some
 * wallets return, a Keccak-256 is loaded: 2.6 kB that the other wallets never need.
 */
export async function checksumAddress(address: string): Promise<`0x${string}`> {
  const hex = address.slice(2)
  if (/[a-f]/.test(hex) && /[A-F]/.test(hex)) return `0x${hex}`
  const { keccak_256 } = await import('@noble/hashes/sha3')
  const hash = keccak_256(hex.toLowerCase())
  const isUpper = (index: number): boolean => ((hash[index >> 1] ?? 0) & (index % 2 === 0 ? 0x80 : 0x08)) !== 0
  const letters = Array.from(hex, (letter, index) => (isUpper(index) ? letter.toUpperCase() : letter.toLowerCase()))
  return `0x${letters.join('')}`
}
