import { createMemo, createSignal } from 'solid-js'
import { type ModelForm, readForm } from '../lib/json-schema.ts'
import type { Model, Task } from '../lib/records/models.ts'
import { useApp } from './app-context.tsx'

/** The chosen task, and for each task the chosen model. The first model that is not locked is the default. */
export function createModelChoice() {
  const app = useApp()
  const [task, setTask] = createSignal<Task>('text-to-image')
  const [chosen, setChosen] = createSignal<Partial<Record<Task, string>>>({})

  const models = (): Model[] => app.models()?.filter((model) => model.task === task()) ?? []
  const model = createMemo(() => {
    const all = models()
    return all.find(({ id }) => id === chosen()[task()]) ?? all.find(({ locked }) => !locked) ?? all[0] ?? null
  })
  const form = createMemo<ModelForm | null>(() => {
    const current = model()
    return current === null ? null : readForm(current.inputSchema)
  })
  const chooseModel = (forTask: Task, id: string): void => {
    setChosen((before) => ({ ...before, [forTask]: id }))
  }
  return { task, setTask, models, model, form, chooseModel }
}
