import type { Engine } from '../provider/models.ts'
import type { EngineResult } from '../provider/types.ts'

/** What the pool sends to a thread, and what comes back. */
export interface Job {
  id: number
  engine: Engine
  prompt: string
  input: Record<string, unknown>
  seed: number
}

export type JobAnswer = { id: number; result: EngineResult } | { id: number; error: string }
