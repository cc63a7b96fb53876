import type { Budget } from '../src/budget.ts'

/** A budget without a limit that records its calls. */
export function recordingBudget(): { budget: Budget; calls: string[] } {
  const calls: string[] = []
  const budget: Budget = {
    reserve: async ({ amountAtomic }) => void calls.push(`reserve ${amountAtomic}`),
    cancel: async () => void calls.push('cancel'),
  }
  return { budget, calls }
}
