/** The value below which `percent` of the samples lie, by the nearest rank. NaN without samples. */
export function percentile(samples: readonly number[], percent: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN
}

/** The middle sample, or the mean of the middle two. */
export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b)
  const half = sorted.length / 2
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2
}

/** `12.3 ms (11.9 to 12.8)`: the median, and the least and greatest in brackets when there are several. */
export function summary(samples: readonly number[], unit: string, digits = 1): string {
  const text = (value: number): string => value.toFixed(digits)
  const middle = `${text(median(samples))} ${unit}`.trimEnd()
  if (samples.length < 2) return middle
  return `${middle} (${text(Math.min(...samples))} to ${text(Math.max(...samples))})`
}

/** `1.52 ×` */
export const times = (ratio: number): string => `${ratio.toFixed(2)} ×`

/** The ratios of samples that were taken in the same round. What the machine did meanwhile is in both of a pair. */
export const pairedRatios = (ours: readonly number[], theirs: readonly number[]): number[] =>
  ours.flatMap((value, round) => (theirs[round] === undefined ? [] : [value / theirs[round]]))

/** `0.71 × (0.68 to 0.75)`: the median of the ratios, and their quartiles in brackets. */
export const ratioText = (ratios: readonly number[]): string =>
  `${times(median(ratios))} (${percentile(ratios, 25).toFixed(2)} to ${percentile(ratios, 75).toFixed(2)})`

/** Measures several sides in turn, the order turned round each time. Returns the samples of each, one per round. */
export async function inTurn<Name extends string, Sample>(
  rounds: number,
  sides: readonly (readonly [name: Name, take: () => Promise<Sample>])[],
): Promise<ReadonlyMap<Name, Sample[]>> {
  const samples = new Map<Name, Sample[]>(sides.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, take] of round % 2 === 0 ? sides : sides.toReversed()) samples.get(name)?.push(await take())
  }
  return samples
}

/**
 * Measures two sides in turn, the order changing each round, so that what the machine does meanwhile hits both alike.
 * Returns the samples of each side, one per round.
 */
export async function alternate<Ours, Theirs>(
  rounds: number,
  ours: () => Promise<Ours>,
  theirs: () => Promise<Theirs>,
): Promise<{ ours: Ours[]; theirs: Theirs[] }> {
  const samples: { ours: Ours[]; theirs: Theirs[] } = { ours: [], theirs: [] }
  const takeOurs = async (): Promise<number> => samples.ours.push(await ours())
  const takeTheirs = async (): Promise<number> => samples.theirs.push(await theirs())
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? [takeOurs, takeTheirs] : [takeTheirs, takeOurs]
    for (const take of order) await take()
  }
  return samples
}
