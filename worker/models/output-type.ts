import type { OutputType, Task } from './model.ts'

const byTask: Record<Task, OutputType> = {
  'text-to-image': 'image',
  'text-to-text': 'text',
  'text-to-sound': 'audio',
}

/** What a task makes. */
export const outputTypeOf = (task: Task): OutputType => byTask[task]
