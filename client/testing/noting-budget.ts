import type { Budget } from '../src/budget.ts'

/** A budget without a limit that writes down what it is told, without the names of payments; times from `start` (ms), in seconds. */
export function notingBudget(start: number): { budget: Budget; told: string[] } {
  const told: string[] = []
  const budget: Budget = {
    reserve: async ({ amountAtomic }) => void told.push(`reserve ${amountAtomic}`),
    cancel: async () => void told.push('cancel'),
    lapse: async (_id, at) => void told.push(`lapse ${at - start / 1_000}`),
    hold: async () => void told.push('hold'),
  }
  return { budget, told }
}
