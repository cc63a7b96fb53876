const ALL_BPS = 10_000n

/** How an amount of AIC becomes free, from the TGE on. */
export interface Terms {
  amount: bigint
  tgeBps: number
  /** Seconds. */
  cliff: number
  duration: number
}

/** AIC that is free at a time (Unix seconds), as the contracts' library `Vesting` counts it. A TGE of 0 is not known yet. */
export function vestedAt({ amount, tgeBps, cliff, duration }: Terms, tge: number, time: number): bigint {
  if (tge === 0 || time < tge) return 0n
  const start = tge + cliff
  if (time >= start + duration) return amount
  const atTge = (amount * BigInt(tgeBps)) / ALL_BPS
  if (time < start) return atTge
  return atTge + ((amount - atTge) * BigInt(time - start)) / BigInt(duration)
}

/** When the next AIC becomes free after `time`; null when all is free, or the TGE is not known. */
export function nextUnlock({ tgeBps, cliff, duration }: Terms, tge: number, time: number): number | null {
  if (tge === 0) return null
  if (time < tge && (tgeBps > 0 || cliff + duration === 0)) return tge
  const start = tge + cliff
  if (time < start) return start
  return time < start + duration ? time : null
}

/** When all of it is free, seconds after the TGE. */
export const spanOf = ({ cliff, duration }: Terms): number => cliff + duration

export interface VestingPoint {
  /** Seconds after the TGE. */
  after: number
  /** One amount for each of the terms. */
  free: bigint[]
}

/** The free amount over time, from the TGE to the end of the longest schedule, at each of `steps` equal steps and at each cliff. */
export function vestingCurve(all: readonly Terms[], steps: number): VestingPoint[] {
  const span = Math.max(1, ...all.map(spanOf))
  const even = Array.from({ length: steps + 1 }, (_, index) => Math.round((span * index) / steps))
  const bends = all.flatMap((terms) => [terms.cliff, spanOf(terms)])
  const times = [...new Set([...even, ...bends])].sort((a, b) => a - b)
  // Any TGE that is not 0 will do: only the distance counts.
  return times.map((after) => ({ after, free: all.map((terms) => vestedAt(terms, 1, 1 + after)) }))
}
