import { createEffect, createMemo, createSignal } from 'solid-js'
import { getJson } from '../lib/api.ts'
import { buildInput, type ModelForm, readForm } from '../lib/json-schema.ts'
import { exactRate, formatDecimal } from '../lib/money.ts'
import type { RequestDraft } from '../lib/purchase/states.ts'
import { type Account, readAccount } from '../lib/records/account.ts'
import { TASKS, type Task } from '../lib/records/kinds.ts'
import type { Model } from '../lib/records/models.ts'
import type { Fields } from '../lib/shape.ts'
import { readStudioLink } from '../lib/studio-link.ts'
import { formatSeconds } from '../lib/time.ts'
import { messages } from '../messages/en.ts'
import { useApp } from './app-context.tsx'
import { createValue } from './create-value.ts'
import { search } from './router.ts'

export type ComposerState = ReturnType<typeof createComposer>

/** What is being asked for: task, model, words, settings, and the price that follows from them. */
export function createComposer() {
  const app = useApp()
  const [task, setTaskSignal] = createSignal<Task>('text-to-image')
  const [chosen, setChosen] = createSignal<Partial<Record<Task, string>>>({})
  const [prompt, setPrompt] = createSignal('')
  const [values, setValues] = createSignal<Fields>({})

  const models = (): Model[] => app.models()?.filter((model) => model.task === task()) ?? []
  const model = createMemo(() => {
    const own = models()
    return own.find(({ id }) => id === chosen()[task()]) ?? own.find(({ locked }) => !locked) ?? own[0] ?? null
  })
  const form = createMemo<ModelForm | null>(() => {
    const current = model()
    return current === null ? null : readForm(current.inputSchema)
  })

  const chooseModel = (id: string): void => {
    setChosen((before) => ({ ...before, [task()]: id }))
    setValues({})
  }
  const setTask = (next: Task): void => {
    setTaskSignal(next)
    setValues({})
  }

  // A link with a model and its inputs (Remix, Use) fills the form, once the models are here.
  createEffect(() => {
    const query = new URLSearchParams(search())
    const wanted = app.models()?.find(({ id }) => id === query.get('model'))
    if (wanted === undefined) return
    const link = readStudioLink(readForm(wanted.inputSchema), query)
    setTaskSignal(wanted.task)
    setChosen((before) => ({ ...before, [wanted.task]: wanted.id }))
    setPrompt((before) => (link.prompt === '' ? before : link.prompt))
    setValues(link.values)
  })

  const useExample = (example: Fields): void => {
    const current = form()
    if (current === null) return
    const { [current.prompt.name]: text, ...rest } = example
    setPrompt(typeof text === 'string' ? text : '')
    setValues(rest)
  }

  const account = createValue(
    () => app.identity.session()?.address ?? null,
    () => getJson('/api/account', readAccount),
  )

  const ready = (): boolean => model() !== null && prompt().trim() !== ''

  /** The draft as it stands, or null while something is missing. */
  const draft = (): RequestDraft | null => {
    const [current, shape] = [model(), form()]
    if (current === null || shape === null || !ready()) return null
    return {
      task: current.task,
      model: current.id,
      modelName: current.name,
      input: buildInput(shape, prompt(), values()),
      estimatedSeconds: current.estimatedSeconds,
      shownUsdc: current.estimatedCostUsdc,
    }
  }

  return {
    task,
    tasks: TASKS,
    setTask,
    models,
    model,
    chooseModel,
    form,
    prompt,
    setPrompt,
    values,
    setValue: (name: string, value: unknown) => setValues((before) => ({ ...before, [name]: value })),
    useExample,
    ready,
    draft,
    sum: () => priceInWords(model(), account() ?? null),
  }
}

/** How the price comes about: `0.531 s × 0.001 USDC`, `10 s × 0.0008 USDC, 20 % staking discount taken off`. */
function priceInWords(model: Model | null, account: Account | null): string {
  if (model === null) return ''
  const rate = account?.effectiveRateUsdc ?? exactRate(model.estimatedCostUsdc, model.estimatedSeconds)
  if (rate === null) return messages.studio.sumPlain(formatSeconds(model.estimatedSeconds))
  // Every digit of both, so that the sum comes out.
  const sum = messages.studio.sum(formatDecimal(model.estimatedSeconds.toFixed(3), 0), formatDecimal(rate))
  const discount = account === null || Number(account.discountPct) === 0 ? null : formatDecimal(account.discountPct, 0)
  return discount === null ? sum : sum + messages.studio.sumDiscount(discount)
}
