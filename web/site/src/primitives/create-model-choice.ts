import { createMemo, createSignal } from 'solid-js'
import type { KeptDraft } from '../lib/draft-store.ts'
import { type ModelForm, readForm } from '../lib/json-schema.ts'
import type { Model, Task } from '../lib/records/models.ts'
import { useApp } from './app-context.tsx'

/** The chosen task, and for each task the chosen model. The first model that can be used is the default. */
export function createModelChoice(kept: KeptDraft | null) {
  const app = useApp()
  const [task, setTask] = createSignal<Task>(kept?.task ?? 'text-to-image')
  const [chosen, setChosen] = createSignal<Partial<Record<Task, string>>>(kept?.chosen ?? {})

  const models = (): Model[] => app.models()?.filter((model) => model.task === task()) ?? []
  /** The first model of the task that this wallet can use now. */
  const usable = (): Model | null => models().find(({ locked, available }) => !locked && available) ?? null
  const model = createMemo(() => {
    const all = models()
    return all.find(({ id }) => id === chosen()[task()]) ?? usable() ?? all[0] ?? null
  })
  const form = createMemo<ModelForm | null>(() => {
    const current = model()
    return current === null ? null : readForm(current.inputSchema)
  })
  const chooseModel = (forTask: Task, id: string): void => {
    setChosen((before) => ({ ...before, [forTask]: id }))
  }
  return { task, setTask, chosen, models, usable, model, form, chooseModel }
}
