/** Rotations and lane positions of one Keccak round, in the order in which the lanes are visited. */
const ROTATIONS = [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44]
const LANES = [10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1]
const ROUNDS = 24
const MASK = (1n << 64n) - 1n
/** Bytes of the message that one block holds, for a hash of 256 bits. */
const BLOCK = 136

/**
 * The address with the letter case of EIP-55. The wallet's own may have any. It has its own small Keccak-256 for one block, since a
 * library's takes four kilobytes.
 */
export function checksumAddress(address: string): `0x${string}` {
  const hex = address.slice(2).toLowerCase()
  const hash = keccakOfShortText(hex)
  const letters = Array.from(hex, (letter, index) => (nibbleOf(hash, index) >= 8n ? letter.toUpperCase() : letter))
  return `0x${letters.join('')}`
}

/** The hex digit of the hash at that place. Lanes are little-endian. */
function nibbleOf(lanes: bigint[], index: number): bigint {
  const byte = (lanes[index >> 4] ?? 0n) >> BigInt(8 * ((index >> 1) & 7))
  return (index % 2 === 0 ? byte >> 4n : byte) & 15n
}

/** The state after absorbing an ASCII text of fewer than 136 characters. Its first four lanes are the hash. */
function keccakOfShortText(text: string): bigint[] {
  const state = Array<bigint>(25).fill(0n)
  const xorByte = (index: number, byte: number): void => {
    state[index >> 3] = (state[index >> 3] ?? 0n) ^ (BigInt(byte) << BigInt(8 * (index & 7)))
  }
  Array.from(text, (letter, index) => xorByte(index, letter.charCodeAt(0)))
  xorByte(text.length, 1)
  xorByte(BLOCK - 1, 0x80)
  let shift = 1
  for (let round = 0; round < ROUNDS; round += 1) {
    permute(state)
    // The round constant's bits come from a shift register.
    for (let bit = 0; bit < 7; bit += 1) {
      if ((shift & 1) === 1) state[0] = (state[0] ?? 0n) ^ (1n << BigInt((1 << bit) - 1))
      shift = (shift << 1) ^ ((shift >> 7) * 0x171)
    }
  }
  return state
}

const rotate = (lane: bigint, by: number): bigint => ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & MASK

/** One round without its constant: theta, rho, pi and chi. */
function permute(state: bigint[]): void {
  const at = (index: number): bigint => state[index] ?? 0n
  const columns = [0, 1, 2, 3, 4].map((x) => at(x) ^ at(x + 5) ^ at(x + 10) ^ at(x + 15) ^ at(x + 20))
  const column = (x: number): bigint => columns[x % 5] ?? 0n
  for (let i = 0; i < 25; i += 1) state[i] = at(i) ^ column((i % 5) + 4) ^ rotate(column((i % 5) + 1), 1)
  let moving = at(1)
  LANES.forEach((lane, i) => {
    const next = at(lane)
    state[lane] = rotate(moving, ROTATIONS[i] ?? 0)
    moving = next
  })
  for (let y = 0; y < 25; y += 5) {
    const row = state.slice(y, y + 5)
    for (let x = 0; x < 5; x += 1) {
      state[y + x] = (row[x] ?? 0n) ^ (~(row[(x + 1) % 5] ?? 0n) & MASK & (row[(x + 2) % 5] ?? 0n))
    }
  }
}
