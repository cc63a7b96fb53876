import { isFields } from './json-fields.ts'
import type { Task } from './types.ts'

/** The short names of the tasks. */
export const TASKS = { image: 'text-to-image', text: 'text-to-text', sound: 'text-to-sound' } as const satisfies Record<
  string,
  Task
>

/** The names of the tasks, for help and messages. Every command and tool takes the short and the whole names. */
export const TASK_WORDS = 'image, text or sound (or text-to-image, text-to-text, text-to-sound)'

/** A task by its short or its whole name. */
export const taskNamed = (word: string): Task | undefined =>
  Object.entries(TASKS).find(([short, task]) => short === word || task === word)?.[1]

/** True if a model takes an input of this name. */
export function hasInput({ inputSchema }: { inputSchema: unknown }, name: string): boolean {
  const properties = isFields(inputSchema) ? inputSchema['properties'] : undefined
  return isFields(properties) && name in properties
}

/** The name of a model's main input: `prompt`, or `text` for models that read aloud. */
export const promptField = (model: { inputSchema: unknown }): 'prompt' | 'text' =>
  hasInput(model, 'prompt') ? 'prompt' : 'text'

/** The first model of a task that is open to the caller, else the first of the task. */
export function defaultModel<One extends { task: Task; locked: boolean }>(
  models: readonly One[],
  task: Task,
): One | undefined {
  const ofTask = models.filter((one) => one.task === task)
  return ofTask.find(({ locked }) => !locked) ?? ofTask[0]
}
