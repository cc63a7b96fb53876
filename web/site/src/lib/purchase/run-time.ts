import { formatSeconds } from '../../../../shared/time.ts'

interface Words {
  elapsed(now: string, typical: string): string
  over(now: string): string
}

/** How long a run has taken, in seconds. The usual time stands beside it until it has passed; far beyond it, the words say so. */
export function runTime(words: Words, elapsed: number, typical: number): string {
  const now = formatSeconds(elapsed)
  if (elapsed <= typical) return words.elapsed(now, formatSeconds(typical))
  return elapsed > typical * 1.5 && elapsed > typical + 3 ? words.over(now) : now
}
