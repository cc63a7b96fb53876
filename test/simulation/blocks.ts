const BLOCK_MS = 2_000

interface Block {
  number: number
  timeMs: number
}

/** A chain's blocks and their times. Blocks may stop, and continue with times far behind the wall clock. */
export function makeBlocks(now: () => Date) {
  const nowMs = (): number => now().getTime()
  let head: Block = { number: 1_000, timeMs: nowMs() }
  let isStalled = false
  /** How far block times lag behind the wall clock. */
  let lagMs = 0
  let earliestMs = 0

  return {
    head: (): Block => head,
    isStalled: (): boolean => isStalled,
    /** Adds a block right after the last one. */
    addNow(): void {
      head = { ...head, number: head.number + 1 }
    },
    /** Adds the block of a transaction that was due at `dueMs` of the wall clock. */
    addFor(dueMs: number): void {
      const timeMs = Math.max(head.timeMs, Math.min(nowMs(), dueMs) - lagMs)
      head = { number: head.number + 1, timeMs }
    },
    /** Adds the empty blocks that are due. */
    addDue(): void {
      const blocks = Math.floor((nowMs() - lagMs - head.timeMs) / BLOCK_MS)
      if (blocks > 0) head = { number: head.number + blocks, timeMs: head.timeMs + blocks * BLOCK_MS }
    },
    stall(): void {
      isStalled = true
    },
    /** Blocks continue: with the present time, or with times right after the last block's. */
    resume(late: boolean): void {
      if (isStalled && late) {
        head = { ...head, timeMs: Math.max(head.timeMs, earliestMs) }
        lagMs = nowMs() - head.timeMs
      }
      if (isStalled && !late) head = { number: head.number + 1, timeMs: nowMs() }
      isStalled = false
    },
    /** No block from now on is older than this moment. */
    startNow(): void {
      earliestMs = nowMs()
      if (isStalled) return
      head = { ...head, timeMs: Math.max(head.timeMs, earliestMs) }
      lagMs = 0
    },
    /** Block times are the wall clock's again. */
    catchUp(): void {
      isStalled = false
      lagMs = 0
      head = { number: head.number + 1, timeMs: nowMs() }
    },
  }
}

export type Blocks = ReturnType<typeof makeBlocks>
