/** A QR code (ISO/IEC 18004): byte mode, error correction level L, versions 1 to 40. */

/** Error correction bytes of each block, and number of blocks, of level L by version. */
const ECC_BYTES = [
  7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30, 30,
  30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
]
const BLOCKS = [
  1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19,
  20, 21, 22, 24, 25,
]
/** Format bits of level L. */
const LEVEL = 1

interface Grid {
  size: number
  /** 1 is dark. */
  dark: Uint8Array
  /** Modules that hold no data. */
  fixed: Uint8Array
}

/** The rows of the code, true for dark. Throws RangeError if the text is too long. */
export function qrCode(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text)
  const version = ECC_BYTES.findIndex((_, index) => neededBits(bytes.length, index + 1) <= 8 * dataBytes(index + 1)) + 1
  if (version === 0) throw new RangeError('the text is too long for a QR code')
  const grid = emptyGrid(version)
  drawData(grid, interleave(dataOf(bytes, version), version))
  const masked = MASKS.map((_, mask) => withMask(grid, mask))
  const best = masked.reduce((least, next) => (penalty(next) < penalty(least) ? next : least))
  return Array.from({ length: grid.size }, (_, y) => Array.from({ length: grid.size }, (_, x) => isDark(best, x, y)))
}

const isDark = ({ dark, size }: Grid, x: number, y: number): boolean => dark[y * size + x] === 1

function rawBytes(version: number): number {
  const aligned = Math.floor(version / 7) + 2
  const patterns = version < 2 ? 0 : (25 * aligned - 10) * aligned - 55
  return Math.floor(((16 * version + 128) * version + 64 - patterns - (version < 7 ? 0 : 36)) / 8)
}

const eccOf = (version: number): number => ECC_BYTES[version - 1] ?? 0
const blocksOf = (version: number): number => BLOCKS[version - 1] ?? 1
const dataBytes = (version: number): number => rawBytes(version) - eccOf(version) * blocksOf(version)
const lengthBits = (version: number): number => (version < 10 ? 8 : 16)
const neededBits = (length: number, version: number): number => 4 + lengthBits(version) + 8 * length

/** Mode, length and bytes, padded to the version's capacity. */
function dataOf(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = []
  const put = (value: number, count: number): void => {
    for (let i = count - 1; i >= 0; i -= 1) bits.push((value >> i) & 1)
  }
  put(4, 4)
  put(bytes.length, lengthBits(version))
  for (const byte of bytes) put(byte, 8)
  const capacity = 8 * dataBytes(version)
  put(0, Math.min(4, capacity - bits.length))
  put(0, (8 - (bits.length % 8)) % 8)
  for (let pad = 0xec; bits.length < capacity; pad ^= 0xec ^ 0x11) put(pad, 8)
  return Array.from({ length: bits.length / 8 }, (_, i) =>
    bits.slice(8 * i, 8 * i + 8).reduce((byte, bit) => 2 * byte + bit, 0),
  )
}

/** Splits into blocks, adds error correction, and takes one byte of each block in turn. */
function interleave(data: number[], version: number): number[] {
  const count = blocksOf(version)
  const shortLength = Math.floor(data.length / count)
  const longBlocks = data.length % count
  let from = 0
  const blocks = Array.from({ length: count }, (_, i) => {
    const end = from + shortLength + (i < count - longBlocks ? 0 : 1)
    const block = data.slice(from, end)
    from = end
    return { block, ecc: remainder(block, eccOf(version)) }
  })
  const take = (lists: number[][]): number[] =>
    Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, (_, i) => lists.map((list) => list[i]))
      .flat()
      .filter((byte) => byte !== undefined)
  return [...take(blocks.map(({ block }) => block)), ...take(blocks.map(({ ecc }) => ecc))]
}

/** Product in the field of 256 elements with the polynomial 0x11d. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((b >> bit) & 1) * a
  }
  return product
}

/** Reed-Solomon error correction bytes. */
function remainder(data: number[], degree: number): number[] {
  let divisor = [...Array<number>(degree - 1).fill(0), 1]
  let root = 1
  for (let i = 0; i < degree; i += 1) {
    divisor = divisor.map((value, j) => multiply(value, root) ^ (divisor[j + 1] ?? 0))
    root = multiply(root, 2)
  }
  let rest = Array<number>(degree).fill(0)
  for (const byte of data) {
    const factor = byte ^ (rest[0] ?? 0)
    rest = [...rest.slice(1), 0].map((value, i) => value ^ multiply(divisor[i] ?? 0, factor))
  }
  return rest
}

/** The grid with its finder, timing and alignment patterns, and the version. */
function emptyGrid(version: number): Grid {
  const size = 4 * version + 17
  const grid = { size, dark: new Uint8Array(size * size), fixed: new Uint8Array(size * size) }
  for (let i = 0; i < size; i += 1) {
    set(grid, 6, i, i % 2 === 0)
    set(grid, i, 6, i % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    drawRings(grid, x, y, 4)
  const centres = alignment(version)
  const last = centres.length - 1
  centres.forEach((y, i) => {
    centres.forEach((x, j) => {
      const isFinder = (i === 0 && (j === 0 || j === last)) || (i === last && j === 0)
      if (!isFinder) drawRings(grid, x, y, 2)
    })
  })
  drawFormat(grid, 0)
  if (version >= 7) drawVersion(grid, version)
  return grid
}

function set(grid: Grid, x: number, y: number, dark: boolean): void {
  if (x < 0 || y < 0 || x >= grid.size || y >= grid.size) return
  grid.dark[y * grid.size + x] = dark ? 1 : 0
  grid.fixed[y * grid.size + x] = 1
}

/** A finder (radius 4, its outer ring light) or an alignment pattern (radius 2). */
function drawRings(grid: Grid, centreX: number, centreY: number, radius: number): void {
  for (let dy = -radius; dy <= radius; dy += 1) {
    for (let dx = -radius; dx <= radius; dx += 1) {
      const ring = Math.max(Math.abs(dx), Math.abs(dy))
      set(grid, centreX + dx, centreY + dy, radius === 4 ? ring !== 2 && ring !== 4 : ring !== 1)
    }
  }
}

function alignment(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2
  const last = 4 * version + 10
  return [6, ...Array.from({ length: count - 1 }, (_, i) => last - step * (count - 2 - i))]
}

function drawFormat(grid: Grid, mask: number): void {
  const data = (LEVEL << 3) | mask
  const bits = ((data << 10) | checksum(data, 10, 0x537)) ^ 0x5412
  const bit = (i: number): boolean => ((bits >> i) & 1) === 1
  const { size } = grid
  for (let i = 0; i < 15; i += 1) {
    if (i < 8) set(grid, size - 1 - i, 8, bit(i))
    else set(grid, 8, size - 15 + i, bit(i))
    if (i < 8) set(grid, 8, i < 6 ? i : i + 1, bit(i))
    else set(grid, i === 8 ? 7 : 14 - i, 8, bit(i))
  }
  set(grid, 8, size - 8, true)
}

function drawVersion(grid: Grid, version: number): void {
  const bits = (version << 12) | checksum(version, 12, 0x1f25)
  for (let i = 0; i < 18; i += 1) {
    const [a, b] = [grid.size - 11 + (i % 3), Math.floor(i / 3)]
    set(grid, a, b, ((bits >> i) & 1) === 1)
    set(grid, b, a, ((bits >> i) & 1) === 1)
  }
}

function checksum(data: number, degree: number, generator: number): number {
  let rest = data
  for (let i = 0; i < degree; i += 1) rest = (rest << 1) ^ ((rest >> (degree - 1)) * generator)
  return rest
}

/** Writes the bytes in columns of two modules, from the right, up and down in turn. */
function drawData(grid: Grid, bytes: number[]): void {
  let index = 0
  for (let right = grid.size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < grid.size; step += 1) {
      const isUp = ((right + 1) & 2) === 0
      const y = isUp ? grid.size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (grid.fixed[y * grid.size + x] === 1 || index >= 8 * bytes.length) continue
        grid.dark[y * grid.size + x] = ((bytes[index >> 3] ?? 0) >> (7 - (index & 7))) & 1
        index += 1
      }
    }
  }
}

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

function withMask(grid: Grid, mask: number): Grid {
  const copy = { ...grid, dark: grid.dark.slice() }
  for (let i = 0; i < copy.dark.length; i += 1) {
    const [x, y] = [i % grid.size, Math.floor(i / grid.size)]
    if (grid.fixed[i] === 0 && MASKS[mask]?.(x, y) === true) copy.dark[i] = 1 - (copy.dark[i] ?? 0)
  }
  drawFormat(copy, mask)
  return copy
}

/** Long runs and squares of one colour, which make a code hard to read. */
function penalty(grid: Grid): number {
  let points = 0
  for (let a = 0; a < grid.size; a += 1) {
    let [across, down] = [0, 0]
    for (let b = 1; b < grid.size; b += 1) {
      across = isDark(grid, b, a) === isDark(grid, b - 1, a) ? across + 1 : 0
      down = isDark(grid, a, b) === isDark(grid, a, b - 1) ? down + 1 : 0
      points += (across >= 4 ? 1 : 0) + (down >= 4 ? 1 : 0) + (across >= 1 && down >= 1 ? 1 : 0)
    }
  }
  return points
}
