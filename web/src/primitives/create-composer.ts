import { createEffect, createSignal } from 'solid-js'
import { getJson } from '../lib/api.ts'
import { buildInput, readForm } from '../lib/json-schema.ts'
import { exactRate, formatDecimal } from '../lib/money.ts'
import type { RequestDraft } from '../lib/purchase/states.ts'
import { type Account, readAccount } from '../lib/records/account.ts'
import { type Model, TASKS, type Task } from '../lib/records/models.ts'
import type { Fields } from '../lib/shape.ts'
import { readStudioLink } from '../lib/studio-link.ts'
import { formatSeconds } from '../lib/time.ts'
import { messages } from '../messages/en.ts'
import { useApp } from './app-context.tsx'
import { createModelChoice } from './create-model-choice.ts'
import { createValue } from './create-value.ts'
import { search } from './router.ts'

export type ComposerState = ReturnType<typeof createComposer>

/** What the form asks for: task, model, prompt, settings, and the price. */
export function createComposer() {
  const app = useApp()
  const { task, setTask, models, model, form, chooseModel } = createModelChoice()
  const [prompt, setPrompt] = createSignal('')
  const [values, setValues] = createSignal<Fields>({})

  // A link with a model and its inputs (Edit and reuse, Use) fills the form when the models are loaded.
  createEffect(() => {
    const query = new URLSearchParams(search())
    const linked = app.models()?.find(({ id }) => id === query.get('model'))
    if (linked === undefined) return
    const link = readStudioLink(readForm(linked.inputSchema), query)
    setTask(linked.task)
    chooseModel(linked.task, linked.id)
    setPrompt((before) => (link.prompt === '' ? before : link.prompt))
    setValues(link.values)
  })

  const account = createValue(
    () => app.identity.session()?.address ?? null,
    () => getJson('/api/account', readAccount),
  )

  /** The present request, or null while the model or the prompt is missing. */
  const draft = (): RequestDraft | null => {
    const [current, shape] = [model(), form()]
    if (current === null || shape === null || prompt().trim() === '') return null
    return draftOf(current, buildInput(shape, prompt(), values()))
  }

  return {
    task,
    tasks: TASKS,
    setTask(next: Task): void {
      setTask(next)
      setValues({})
    },
    models,
    model,
    chooseModel(id: string): void {
      chooseModel(task(), id)
      setValues({})
    },
    form,
    prompt,
    setPrompt,
    values,
    setValue: (name: string, value: unknown) => setValues((before) => ({ ...before, [name]: value })),
    useExample(example: Fields): void {
      const current = form()
      if (current === null) return
      const { [current.prompt.name]: text, ...rest } = example
      setPrompt(typeof text === 'string' ? text : '')
      setValues(rest)
    },
    draft,
    sum: () => priceInWords(model(), account() ?? null),
  }
}

function draftOf({ id, name, task, estimatedSeconds, estimatedCostUsdc }: Model, input: Fields): RequestDraft {
  return { task, model: id, modelName: name, input, estimatedSeconds, shownUsdc: estimatedCostUsdc }
}

/** How the price is calculated: `0.531 s × 0.001 USDC`, `10 s × 0.0008 USDC, 20 % staking discount applied`. */
function priceInWords(model: Model | null, account: Account | null): string {
  if (model === null) return ''
  const rate = account?.effectiveRateUsdc ?? exactRate(model.estimatedCostUsdc, model.estimatedSeconds)
  if (rate === null) return messages.studio.sumPlain(formatSeconds(model.estimatedSeconds))
  // Both with every digit, so that the product is the price.
  const sum = messages.studio.sum(formatDecimal(model.estimatedSeconds.toFixed(3), 0), formatDecimal(rate))
  const discount = account === null || Number(account.discountPct) === 0 ? null : formatDecimal(account.discountPct, 0)
  return discount === null ? sum : sum + messages.studio.sumDiscount(discount)
}
