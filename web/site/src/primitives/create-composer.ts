import { createEffect, createMemo, createSignal } from 'solid-js'
import { exactRate, formatDecimal, formatNumber } from '../../../shared/money.ts'
import type { Fields } from '../../../shared/shape.ts'
import { formatSeconds } from '../../../shared/time.ts'
import { getJson } from '../lib/api.ts'
import { keepDraft, keptDraft } from '../lib/draft-store.ts'
import { buildInput, type ModelForm, randomSeed, readForm, tooLongIn } from '../lib/json-schema.ts'
import type { RequestDraft } from '../lib/purchase/states.ts'
import { type Account, readAccount } from '../lib/records/account.ts'
import { type Model, TASKS, type Task } from '../lib/records/models.ts'
import { readStudioLink } from '../lib/studio-link.ts'
import { messages } from '../messages/active.ts'
import { at } from '../messages/load.ts'
import { useApp } from './app-context.tsx'
import { createModelChoice } from './create-model-choice.ts'
import { createValue } from './create-value.ts'
import { replaceAddress, search } from './router.ts'

export type ComposerState = ReturnType<typeof createComposer>

/** The members of the form: task, model, prompt, settings, and the price. It is kept for the tab. */
export function createComposer() {
  const app = useApp()
  const kept = keptDraft()
  const { task, setTask, chosen, models, usable, model, form, chooseModel } = createModelChoice(kept)
  const [prompt, setPrompt] = createSignal(kept?.prompt ?? '')
  const [values, setValues] = createSignal<Fields>(kept?.values ?? {})
  createEffect(() => keepDraft({ task: task(), chosen: chosen(), prompt: prompt(), values: values() }))

  // A link with a model and its inputs (Edit and reuse, Use) fills the form once, when the models are loaded. Ours have no query.
  createEffect(() => {
    const query = new URLSearchParams(search().split('#').at(-1))
    const linked = app.models()?.find(({ id }) => id === query.get('model'))
    if (linked === undefined) return
    const link = readStudioLink(readForm(linked.inputSchema), query)
    setTask(linked.task)
    chooseModel(linked.task, linked.id)
    setPrompt((before) => (link.prompt === '' ? before : link.prompt))
    setValues(link.values)
    replaceAddress(at('/'))
  })

  const account = createValue(
    () => app.identity.session()?.address ?? null,
    () => getJson('/api/account', readAccount),
  )

  const barred = createMemo((): string => barOf(model()) || tooLong(form(), prompt(), values()))
  const draft = (): RequestDraft | null => requestOf(model(), form(), prompt(), values())

  return {
    task,
    tasks: TASKS,
    setTask(next: Task): void {
      setTask(next)
      setValues({})
    },
    models,
    usable,
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
    useExample({ [form()?.prompt.name ?? 'prompt']: text, ...rest }: Fields): void {
      setPrompt(typeof text === 'string' ? text : '')
      setValues(rest)
    },
    draft,
    /** Why Pay cannot be pressed, or an empty string. */
    barred,
    sum: () => priceInWords(model(), account() ?? null),
    /** How many pictures one run makes. */
    count: (): number => Number(values()[COUNT] ?? 1),
  }
}

/** Why a model cannot be used, or an empty string. */
function barOf(model: Model | null): string {
  if (model?.locked) return messages.lock.why(messages.tiers[model.tier], messages.lock[model.tier])
  return model?.available === false ? messages.lock.away : ''
}

/** That a text is too long, with the title of its field unless it is the prompt, or an empty string. */
function tooLong(form: ModelForm | null, prompt: string, values: Fields): string {
  const field = form === null ? undefined : tooLongIn(form, prompt, values)
  if (field === undefined) return ''
  const text = messages.studio.tooLong(formatNumber(field.maxLength))
  return field === form?.prompt ? text : `${field.title} · ${text}`
}

/** The setting for several pictures of one run. */
export const COUNT = 'num_outputs'

/** The request, or null while the model or the prompt is missing. A seed is chosen here, so that the result can name it. */
export function requestOf(
  model: Model | null,
  form: ModelForm | null,
  prompt: string,
  values: Fields,
): RequestDraft | null {
  if (model === null || form === null || prompt.trim() === '') return null
  const seed = form.settings.find((field) => field.kind === 'seed')
  const input = buildInput(form, prompt, values)
  if (seed !== undefined) input[seed.name] ??= randomSeed(seed.max)
  return draftOf(model, input)
}

function draftOf({ id, name, task, estimatedSeconds, estimatedCostUsdc }: Model, input: Fields): RequestDraft {
  return { task, model: id, modelName: name, input, estimatedSeconds, shownUsdc: estimatedCostUsdc }
}

/** The exact price and how it is calculated: `0.000531 USDC = 0.531 s × 0.001 USDC`, `10 s × 0.0008 USDC, 20% staking discount applied`. */
function priceInWords(model: Model | null, account: Account | null): string {
  if (model === null) return ''
  const rate = account?.effectiveRateUsdc ?? exactRate(model.estimatedCostUsdc, model.estimatedSeconds)
  const cost = messages.common.usdc(formatDecimal(model.estimatedCostUsdc))
  if (rate === null) return messages.studio.sumPlain(cost, formatSeconds(model.estimatedSeconds))
  // Both with every digit, so that the product is the price.
  const sum = messages.studio.sum(cost, formatDecimal(model.estimatedSeconds.toFixed(3), 0), formatDecimal(rate))
  const discount = account === null || Number(account.discountPct) === 0 ? null : formatDecimal(account.discountPct, 0)
  return discount === null ? sum : sum + messages.studio.sumDiscount(discount)
}
