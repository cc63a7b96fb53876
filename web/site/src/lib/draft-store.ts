import type { Fields } from '../../../shared/shape.ts'
import { isFields, maybeStr, oneOf } from '../../../shared/shape.ts'
import { onAccountLeft } from '../../../shared/storage.ts'
import { TASKS, type Task } from './records/models.ts'

/** The input of a person in the form. */
export interface KeptDraft {
  task: Task
  /** Ids of the chosen models, by task. */
  chosen: Partial<Record<Task, string>>
  prompt: string
  /** Settings of the chosen model. */
  values: Fields
  /** The prompt that was paid last, or an empty string. It belongs to the account that paid. */
  paid?: string
}

const KEY = 'coinslot.draft'

/** Used where the browser blocks site data: the draft is then kept until the page is closed. */
let inMemory: string | null = null

/** Keeps the draft for this tab. */
export function keepDraft(draft: KeptDraft): void {
  inMemory = JSON.stringify({ paid: keptDraft()?.paid, ...draft })
  try {
    window.sessionStorage.setItem(KEY, inMemory)
  } catch {
    // It is in memory.
  }
}

/** Says that the account pays for the draft as it is now. */
export function markDraftPaid(): void {
  const draft = keptDraft()
  if (draft !== null) keepDraft({ ...draft, paid: draft.prompt })
}

// An unpaid draft stays: a person may change the account in order to pay. A paid one goes with the account that paid it,
// its settings too, also where only the prompt was emptied since.
onAccountLeft(() => {
  const draft = keptDraft()
  if (draft === null) return
  const isOther = draft.paid === '' || (draft.prompt !== '' && draft.prompt !== draft.paid)
  keepDraft({ ...draft, ...(isOther ? {} : { prompt: '', values: {} }), paid: '' })
})

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
    paid: maybeStr(from, 'paid') ?? '',
  }
}
