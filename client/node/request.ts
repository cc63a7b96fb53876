import { text } from 'node:stream/consumers'
import type { Coinslot } from '../src/coinslot.ts'
import { parseJson } from '../src/json-fields.ts'
import { defaultModel, promptField, TASK_WORDS, TASKS, taskNamed } from '../src/tasks.ts'
import type { InferenceRequest, Model, Task } from '../src/types.ts'
import { UsageError } from './errors.ts'
import { PROGRAM } from './program.ts'

/** A task by its short or its whole name. Throws `UsageError`. */
export function taskFlag(word: string): Task {
  const found = taskNamed(word)
  if (found === undefined) throw new UsageError(`--task ${word}: give ${TASK_WORDS}`)
  return found
}

export interface RequestWords {
  task: Task | undefined
  model: string | undefined
  prompt: string
  /** `name=value` of further inputs. A value that is valid JSON is parsed. */
  set: readonly string[]
}

/**
 * The model of that id, else the first model of the task (default text-to-image) that is open to the caller. Throws `UsageError`, also
 * for a model of another task.
 */
export async function findModel(
  coinslot: Pick<Coinslot, 'models'>,
  { task, model }: Pick<RequestWords, 'task' | 'model'>,
): Promise<Model> {
  const models = await coinslot.models()
  if (model !== undefined) {
    const named = models.find(({ id }) => id === model)
    if (named === undefined) throw new UsageError(`There is no model ${model}; \`${PROGRAM} models\` lists them.`)
    if (task !== undefined && named.task !== task) throw new UsageError(`${model} is for ${named.task}, not ${task}.`)
    return named
  }
  const open = defaultModel(models, task ?? TASKS.image)
  if (open === undefined) throw new UsageError('The service has no model for this task.')
  return open
}

export function makeRequest(model: Model, { prompt, set }: Pick<RequestWords, 'prompt' | 'set'>): InferenceRequest {
  const further = set.map((pair): [string, unknown] => {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(pair) ?? []
    if (name === undefined || value === undefined) throw new UsageError(`--set ${pair}: give NAME=VALUE`)
    return [name, parseJson(value) ?? value]
  })
  return { task: model.task, model: model.id, input: { [promptField(model)]: prompt, ...Object.fromEntries(further) } }
}

/** The words of the command line, else all of stdin. Throws `UsageError` without either. */
export async function readPrompt(words: readonly string[]): Promise<string> {
  const given = words.join(' ').trim()
  if (given !== '' && given !== '-') return given
  const piped = process.stdin.isTTY === true ? '' : (await text(process.stdin)).trim()
  if (piped === '') throw new UsageError('The prompt is missing. Write it behind the flags, or pipe it in.')
  return piped
}
