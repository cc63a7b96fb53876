import type { Engine } from './engine.ts'
import { SITUATIONS } from './faults.ts'

/** Periods in which the whole database is away or read-only. */
export function makeDatabaseOutages({ now, hit }: Pick<Engine, 'now' | 'hit'>) {
  const untilMs = { away: 0, readOnly: 0 }
  function lasts(kind: keyof typeof untilMs, situation: string): boolean {
    const holds = now().getTime() < untilMs[kind]
    if (holds) hit(situation)
    return holds
  }
  return {
    start(kind: keyof typeof untilMs, ms: number): void {
      untilMs[kind] = now().getTime() + ms
    },
    end: (): void => void Object.assign(untilMs, { away: 0, readOnly: 0 }),
    isDatabaseDown: (): boolean => lasts('away', SITUATIONS.databaseAway),
    isReadOnly: (): boolean => lasts('readOnly', SITUATIONS.readOnly),
  }
}

export type DatabaseOutages = ReturnType<typeof makeDatabaseOutages>
