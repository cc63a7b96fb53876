/** A closed line of a rosette, as SVG path data around 0,0 within a radius of 100. */
export type RosetteLine = string

const POINTS = 240

/**
 * An engraver's rosette drawn from text (a payment's hash, a model's name): the same text always gives the same lines,
 * and two texts practically never the same. `lines` nested curves, each a sum of two waves on a circle.
 */
export function rosette(seed: string, lines = 3): RosetteLine[] {
  const next = randomFrom(seed)
  const lobes = 5 + Math.floor(next() * 8)
  const second = lobes * (2 + Math.floor(next() * 2)) + (next() < 0.5 ? 0 : 1)
  const depth = 0.14 + next() * 0.16
  const fine = 0.04 + next() * 0.07
  const twist = next() * Math.PI * 2
  return Array.from({ length: lines }, (_, index) => {
    const share = lines === 1 ? 1 : 1 - (index * 0.62) / (lines - 1)
    const phase = twist + index * (Math.PI / lobes)
    return closedPath((angle) => {
      const wave = depth * Math.cos(lobes * angle + phase) + fine * Math.cos(second * angle - phase * 2)
      return (96 * share * (1 - depth - fine + wave)) / 1
    })
  })
}

function closedPath(radius: (angle: number) => number): string {
  const points = Array.from({ length: POINTS }, (_, index) => {
    const angle = (index / POINTS) * Math.PI * 2
    const r = radius(angle)
    return `${(r * Math.cos(angle)).toFixed(1)} ${(r * Math.sin(angle)).toFixed(1)}`
  })
  return `M${points.join('L')}Z`
}

/** Numbers from 0 to 1 that depend on the text alone (FNV-1a into xorshift). */
function randomFrom(seed: string): () => number {
  let state = 2166136261
  for (const char of seed) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16777619)
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4294967296
  }
}
