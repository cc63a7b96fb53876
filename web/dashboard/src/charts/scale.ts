import type { Bucket } from '../model/days.ts'

const STEPS = [1, 2, 2.5, 5, 10]

/** All series of a bar together. */
export const sumOf = ({ parts }: Bucket): bigint => parts.reduce((sum, part) => sum + part, 0n)

/** The largest of some amounts; 0 without any. */
export function largest(amounts: readonly bigint[]): bigint {
  return amounts.toSorted((a, b) => Number(b - a))[0] ?? 0n
}

/** The top of an axis: the smallest round number that is not below `most`. */
export function axisTop(most: bigint): bigint {
  if (most <= 0n) return 1n
  const magnitude = 10n ** BigInt(most.toString().length - 1)
  const step = STEPS.find((factor) => (magnitude * BigInt(factor * 10)) / 10n >= most) ?? 10
  return (magnitude * BigInt(step * 10)) / 10n
}

/** `part` of `whole` as a share of `size`, for drawing: a float suffices there. */
export const along = (part: bigint, whole: bigint, size: number): number =>
  whole === 0n ? 0 : (Number((part * 1_000_000n) / whole) / 1_000_000) * size
