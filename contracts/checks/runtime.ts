import { bytesToHex, type Hex, hexToBytes, keccak256 } from 'viem'

/** What a contract of this build has on chain, apart from the values that its deployment wrote into the code. */
export interface Runtime {
  /** Of the code with zeros for these values. */
  hash: Hex
  size: number
  /** Start and length of each value, bytes. */
  immutables: readonly (readonly number[])[]
}

/** Whether code from a chain is that of this build, whatever values its deployment wrote into it. */
export function isCodeOf({ hash, size, immutables }: Runtime, code: Hex): boolean {
  const bytes = hexToBytes(code)
  if (bytes.length !== size) return false
  for (const [start = 0, length = 0] of immutables) bytes.fill(0, start, start + length)
  return keccak256(bytesToHex(bytes)) === hash
}
