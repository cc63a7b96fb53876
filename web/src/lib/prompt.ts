import type { Inference } from './records/inference.ts'
import type { Fields } from './shape.ts'

/** The prompt of a record. The history has only its start. */
export function promptOf({ input, prompt }: Pick<Inference, 'input' | 'prompt'>): string {
  return promptIn(input ?? {}) || (prompt ?? '')
}

/** The prompt of a model's input: the first text in it, if none has the usual name. */
export function promptIn(input: Fields): string {
  const own = input['prompt'] ?? input['text'] ?? Object.values(input).find((value) => typeof value === 'string')
  return typeof own === 'string' ? own : ''
}
