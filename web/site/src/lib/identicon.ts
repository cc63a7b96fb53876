/** A closed line of an identicon, as SVG path data around 0,0 within a radius of 1000, in whole numbers. */
export type IdenticonLine = string

/** One woven band: `strands` waves of the same shape, each rotated further than the one before. */
interface Band {
  radius: number
  depth: number
  lobes: number
  strands: number
  /** Share of a second, finer wave. */
  fine: number
}

/**
 * Draws an identicon from text (a payment's hash, a model's name) as woven bands. The same text always has the same lines, and two
 * texts practically never share them. `detail` is the number of strands per band.
 */
export function identicon(seed: string, detail = 3): IdenticonLine[] {
  const next = randomFrom(seed)
  const between = (low: number, high: number): number => low + next() * (high - low)
  const whole = (low: number, high: number): number => Math.floor(between(low, high + 0.999))
  const symmetry = whole(5, 9)
  const depth = between(9, 15)
  const heart = between(20, 30)
  const bands: Band[] = [
    { radius: 99 - depth, depth, lobes: symmetry * 2, strands: detail, fine: between(0, 0.22) },
    { radius: 66, depth: between(8, 16), lobes: symmetry, strands: detail, fine: between(0.1, 0.4) },
    { radius: heart, depth: heart * between(0.55, 0.95), lobes: symmetry, strands: Math.max(2, detail - 1), fine: 0 },
  ]
  const shown = detail <= 2 ? [bands[0], bands[2]] : bands
  // Just enough points for a smooth wave at the shown size, since this runs while the page starts.
  const points = (lobes: number): number => (detail <= 2 ? lobes * 10 : Math.min(360, lobes * 24))
  return shown.flatMap((band) => (band === undefined ? [] : weave(band, next() * Math.PI, points(band.lobes))))
}

function weave(band: Band, rotation: number, points: number): IdenticonLine[] {
  return Array.from({ length: band.strands }, (_, strand) => {
    const phase = rotation + (strand * Math.PI * 2) / band.strands
    return closedPath(points, (angle) => {
      const wave = Math.cos(band.lobes * angle + phase)
      const ripple = band.fine * Math.cos(3 * band.lobes * angle - phase)
      return band.radius + (band.depth * (wave + ripple)) / (1 + band.fine)
    })
  })
}

function closedPath(count: number, radius: (angle: number) => number): string {
  let path = ''
  for (let index = 0; index < count; index += 1) {
    const angle = (index / count) * Math.PI * 2
    const r = radius(angle) * 10
    path += `${index === 0 ? 'M' : 'L'}${Math.round(r * Math.cos(angle))} ${Math.round(r * Math.sin(angle))}`
  }
  return `${path}Z`
}

/** Numbers from 0 to 1 that depend on the text alone (FNV-1a into xorshift). */
function randomFrom(seed: string): () => number {
  let state = 2166136261
  for (const char of seed) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16777619)
  state = state === 0 ? 1 : state
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4294967296
  }
}
