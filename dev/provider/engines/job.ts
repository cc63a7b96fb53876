import type { Engine } from '../models.ts'
import type { EngineResult } from '../types.ts'

/** What the pool sends to a thread, and what comes back. */
export interface Job {
  id: number
  engine: Engine
  prompt: string
  input: Record<string, unknown>
  seed: number
}

export type JobAnswer = { id: number; result: EngineResult } | { id: number; error: string }
