import { TASKS, type Task } from './records/models.ts'
import type { Fields } from './shape.ts'
import { isFields, maybeStr, oneOf } from './shape.ts'

/** What a person has entered in the form. */
export interface KeptDraft {
  task: Task
  /** Ids of the chosen models, by task. */
  chosen: Partial<Record<Task, string>>
  prompt: string
  /** Settings of the chosen model. */
  values: Fields
}

const KEY = 'coinslot.draft'

/** Used where the browser blocks site data: the draft is then kept until the page is closed. */
let inMemory: string | null = null

/** Keeps the draft for this tab. */
export function keepDraft(draft: KeptDraft): void {
  inMemory = JSON.stringify(draft)
  try {
    window.sessionStorage.setItem(KEY, inMemory)
  } catch {
    // It is in memory.
  }
}

/** The draft of this tab, or null. */
export function keptDraft(): KeptDraft | null {
  try {
    return readDraft(JSON.parse(inMemory ?? window.sessionStorage.getItem(KEY) ?? 'null'))
  } catch {
    return null
  }
}

function readDraft(from: unknown): KeptDraft | null {
  if (!isFields(from)) return null
  const chosen = isFields(from['chosen']) ? from['chosen'] : {}
  const ids = TASKS.flatMap((task) => {
    const id = maybeStr(chosen, task)
    return id === null ? [] : [[task, id] as const]
  })
  return {
    task: oneOf(from['task'], TASKS, 'text-to-image'),
    chosen: Object.fromEntries(ids),
    prompt: maybeStr(from, 'prompt') ?? '',
    values: isFields(from['values']) ? from['values'] : {},
  }
}
