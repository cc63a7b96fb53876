import type { Budget } from '../src/budget.ts'

/** A budget without a limit that writes down what it is calls, without the names of payments; times from `start` (ms), in seconds. */
export function recordingBudget(start: number): { budget: Budget; calls: string[] } {
  const calls: string[] = []
  const budget: Budget = {
    reserve: async ({ amountAtomic }) => void calls.push(`reserve ${amountAtomic}`),
    cancel: async () => void calls.push('cancel'),
    expire: async (_id, at) => void calls.push(`lapse ${at - start / 1_000}`),
    hold: async () => void calls.push('hold'),
  }
  return { budget, calls }
}
