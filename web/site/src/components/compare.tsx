import { createSignal, For, Show } from 'solid-js'
import { approximatePrice } from '../../../shared/money.ts'
import { onAccountLeft } from '../../../shared/storage.ts'
import { formatSeconds } from '../../../shared/time.ts'
import { readForm, tooLongIn } from '../lib/json-schema.ts'
import type { RequestDraft } from '../lib/purchase/states.ts'
import { type Inference, promptOf } from '../lib/records/inference.ts'
import type { Model } from '../lib/records/models.ts'
import { purchaseMessages } from '../messages/active.ts'
import { useApp } from '../primitives/app-context.tsx'
import { requestOf } from '../primitives/create-composer.ts'
import { Output, paidAmount } from './result-view.tsx'

interface Made {
  inference: Inference
  modelName: string
}

/** The result that the next one is compared with. It is kept until the page is closed or the account leaves. */
const [first, setFirst] = createSignal<Made | null>(null)
onAccountLeft(() => setFirst(null))

/** Buys the prompt of a result from another model too, and shows both results side by side. */
export default function Compare(props: Made & { onBuy(draft: RequestDraft): void }) {
  const app = useApp()
  const [chosen, setChosen] = createSignal('')
  const prompt = (): string => promptOf(props.inference)
  const task = () => app.models()?.find(({ id }) => id === props.inference.model)?.task
  /** A model whose limit is shorter than the prompt is not offered. */
  const takes = ({ inputSchema }: Model): boolean =>
    tooLongIn(readForm(inputSchema), prompt(), props.inference.input ?? {}) === undefined
  const others = (): Model[] =>
    app.models()?.filter((model) => {
      const isOther = model.task === task() && model.id !== props.inference.model
      return isOther && model.available && !model.locked && takes(model)
    }) ?? []
  const pair = (): Made[] | null => {
    const before = first()
    if (before === null || before.inference.id === props.inference.id) return null
    return promptOf(before.inference) === prompt() ? [before, props] : null
  }
  const buy = (): void => {
    const model = others().find(({ id }) => id === chosen()) ?? others()[0]
    if (model === undefined) return
    const draft = requestOf(model, readForm(model.inputSchema), prompt(), props.inference.input ?? {})
    if (draft === null) return
    setFirst({ inference: props.inference, modelName: props.modelName })
    props.onBuy(draft)
  }
  return (
    <section class="compare">
      <Show when={pair()}>
        {(both) => (
          <>
            <h2>{purchaseMessages.compare.title}</h2>
            <div class="compare-pair">
              <For each={both()}>{(made) => <Half {...made} />}</For>
            </div>
          </>
        )}
      </Show>
      <Show when={others().length > 0}>
        <div class="compare-choice">
          <label class="filter">
            <span>{purchaseMessages.compare.label}</span>
            <select onChange={(event) => setChosen(event.currentTarget.value)}>
              <For each={others()}>
                {({ id, name, estimatedCostUsdc }) => (
                  <option value={id}>
                    {name} · {approximatePrice(estimatedCostUsdc)}
                  </option>
                )}
              </For>
            </select>
          </label>
          <button type="button" class="button button-quiet" onClick={buy}>
            {purchaseMessages.compare.button}
          </button>
        </div>
      </Show>
    </section>
  )
}

function Half(props: Made) {
  const seconds = (): string | null => {
    const { predictTimeMs } = props.inference.metrics
    return predictTimeMs === null ? null : formatSeconds(predictTimeMs / 1000)
  }
  const facts = (): string =>
    [paidAmount(props.inference.metrics), seconds()].filter((fact) => fact !== null).join(' · ')
  return (
    <div>
      <p>
        <strong>
          <bdi>{props.modelName}</bdi>
        </strong>{' '}
        <small class="figures">{facts()}</small>
      </p>
      <Output
        inference={props.inference}
        prompt={promptOf(props.inference)}
        ratio={props.inference.input?.['aspect_ratio']}
      />
    </div>
  )
}
