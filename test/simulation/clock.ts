interface Timer {
  at: number
  /** A process, or null for a timer of the services. */
  owner: number | null
  fire(): void
}

/** Virtual time. It passes only when a timer fires or when it is moved. */
export function makeClock(start: Date) {
  let nowMs = start.getTime()
  let timers: Timer[] = []
  return {
    now: (): Date => new Date(nowMs),
    /** Resolves after `ms`, unless `owner` is a process that ends before. */
    wait: (ms: number, owner: number | null = null): Promise<void> =>
      new Promise((resolve) => {
        timers.push({ at: nowMs + Math.max(0, ms), owner, fire: resolve })
      }),
    /** Removes the timers of a process. */
    removeTimers(owner: number): void {
      timers = timers.filter((timer) => timer.owner !== owner)
    },
    /** Fires the earliest timer. False when there is none up to `limit`. */
    fireNext(limit: number): boolean {
      const next = timers.reduce<Timer | undefined>((a, b) => (a === undefined || b.at < a.at ? b : a), undefined)
      if (next === undefined || next.at > limit) return false
      timers.splice(timers.indexOf(next), 1)
      nowMs = Math.max(nowMs, next.at)
      next.fire()
      return true
    },
    /** Moves time forward, never back. */
    moveTo(ms: number): void {
      nowMs = Math.max(nowMs, ms)
    },
  }
}

export type Clock = ReturnType<typeof makeClock>

/** The events, line by line, and how often each fault and situation was met. */
export function makeTrace(clock: Clock) {
  const startMs = clock.now().getTime()
  const lines: string[] = []
  const hits = new Map<string, number>()
  return {
    lines,
    hits,
    note(line: string): void {
      const seconds = (clock.now().getTime() - startMs) / 1000
      lines.push(`${seconds.toFixed(1).padStart(9)} s  ${line}`)
    },
    hit: (name: string): void => void hits.set(name, (hits.get(name) ?? 0) + 1),
  }
}

export type Trace = ReturnType<typeof makeTrace>
