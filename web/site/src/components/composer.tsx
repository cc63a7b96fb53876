import { createSignal, createUniqueId, For, Show } from 'solid-js'
import { Deferred } from '../../../shared/deferred.tsx'
import { approximatePrice } from '../../../shared/money.ts'
import { countNear } from '../lib/json-schema.ts'
import { isPaying } from '../lib/purchase/states.ts'
import { messages, purchaseMessages } from '../messages/active.ts'
import { useApp } from '../primitives/app-context.tsx'
import type { ComposerState } from '../primitives/create-composer.ts'
import { lazyPart } from '../primitives/lazy-part.ts'
import { LazyPlace } from './lazy-place.tsx'
import { ModelPicker } from './model-picker.tsx'
import { QuickSettings, Settings } from './settings.tsx'
import { TextLimit } from './text-limit.tsx'

const OtherModels = lazyPart(() => import('./other-models.tsx'))

/** The form: task, prompt, model, settings, and one button with the price. */
export function Composer(props: { composer: ComposerState }) {
  const app = useApp()
  const [missing, setMissing] = createSignal(false)
  let prompt: HTMLTextAreaElement | undefined

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    // Enter with Ctrl sends the form also while the button is disabled.
    if (props.composer.barred() !== '') return
    const draft = props.composer.draft()
    setMissing(draft === null)
    if (draft === null) prompt?.focus()
    else void app.buy((actions) => actions.begin(draft))
  }
  const preload = (): void => {
    app.preloadBuying()
    import('./payment-dialog.tsx').catch(() => undefined)
  }
  return (
    <form class="composer" onSubmit={submit} onFocusIn={preload} onPointerEnter={preload} novalidate>
      <TaskTabs composer={props.composer} />

      <div class="prompt">
        <PromptField composer={props.composer} missing={missing()} ref={prompt} onWrite={() => setMissing(false)} />
        <QuickSettings composer={props.composer} />
        <Examples composer={props.composer} />
      </div>

      <Deferred>
        <ModelPicker composer={props.composer} />
      </Deferred>
      <Deferred>
        <Settings composer={props.composer} />
        <PayBar composer={props.composer} />
      </Deferred>
    </form>
  )
}

interface PromptProps {
  composer: ComposerState
  /** Pay was pressed without a prompt. */
  missing: boolean
  ref: HTMLTextAreaElement | undefined
  onWrite(): void
}

/** The prompt, with what is wrong with it. */
function PromptField(props: PromptProps) {
  const id = createUniqueId()
  const most = (): number => props.composer.form()?.prompt.maxLength ?? Number.POSITIVE_INFINITY
  const isTooLong = (): boolean => countNear(props.composer.prompt(), most()) > most()
  const write = (text: string): void => {
    props.composer.setPrompt(text)
    props.onWrite()
  }
  return (
    <>
      <label for={id}>{messages.studio.prompt[props.composer.task()]}</label>
      <textarea
        id={id}
        ref={props.ref}
        rows="3"
        dir="auto"
        value={props.composer.prompt()}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={submitOnEnter}
        aria-invalid={props.missing || isTooLong()}
        aria-describedby={`${id}-missing ${id}-limit`}
      />
      <TextLimit id={`${id}-limit`} text={props.composer.prompt()} most={most()} />
      <Show when={props.missing}>
        <p id={`${id}-missing`} class="field-error" role="alert">
          {messages.studio.emptyPrompt}
        </p>
      </Show>
    </>
  )
}

/** Ctrl or Command with Enter presses Pay. */
function submitOnEnter(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
}

function TaskTabs(props: { composer: ComposerState }) {
  return (
    <fieldset class="tabs">
      <legend class="visually-hidden">{messages.studio.task}</legend>
      <For each={props.composer.tasks}>
        {(task) => (
          <label class="tab">
            <input
              type="radio"
              name="task"
              checked={props.composer.task() === task}
              onChange={() => props.composer.setTask(task)}
            />
            <span>{messages.tasks[task]}</span>
          </label>
        )}
      </For>
    </fieldset>
  )
}

function Examples(props: { composer: ComposerState }) {
  const promptOf = (example: Record<string, unknown>): string => {
    const text = example[props.composer.form()?.prompt.name ?? 'prompt']
    return typeof text === 'string' ? text : ''
  }
  const examples = () =>
    (props.composer.model()?.examples ?? []).filter((example) => promptOf(example) !== '').slice(0, 2)
  return (
    <div class="examples">
      <Show when={examples().length > 0}>
        <span>{messages.studio.examples}</span>
        <ul>
          <For each={examples()}>
            {(example) => (
              <li>
                <button type="button" class="example" dir="auto" onClick={() => props.composer.useExample(example)}>
                  {promptOf(example)}
                </button>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </div>
  )
}

function PayBar(props: { composer: ComposerState }) {
  const app = useApp()
  const label = (): string => {
    const cost = props.composer.model()?.estimatedCostUsdc
    return cost === undefined ? messages.studio.payUnpriced : messages.studio.pay(approximatePrice(cost))
  }
  const notice = () => {
    const purchase = app.purchase()
    return purchase.at === 'idle' && purchase.notice !== null ? purchaseMessages.notices[purchase.notice] : ''
  }
  return (
    <div class="paybar">
      <button
        type="submit"
        class="button button-pay"
        aria-disabled={isPaying(app.purchase())}
        disabled={props.composer.model() === null || props.composer.barred() !== ''}
      >
        <Show when={!isPaying(app.purchase())} fallback={messages.studio.busy}>
          {label()}
        </Show>
      </button>
      <p class="paybar-sum">
        <Show when={props.composer.sum()}>
          {(sum) => (
            <>
              {sum()}
              {props.composer.count() > 1 ? ` · ${messages.studio.count(props.composer.count())}` : ''}
              {` ·\u00a0${messages.studio.noGas}`}
            </>
          )}
        </Show>
      </p>
      <Show when={props.composer.barred()}>{(why) => <Barred composer={props.composer} why={why()} />}</Show>
      <p class="paybar-notice" role="status">
        {notice()}
      </p>
    </div>
  )
}

/** Why Pay cannot be pressed, and the ways on where the model is the reason. */
function Barred(props: { composer: ComposerState; why: string }) {
  const isModel = (): boolean => props.composer.model()?.locked === true || props.composer.model()?.available === false
  return (
    // That a text is too long is announced at its field.
    <div class="paybar-barred" role={isModel() ? 'status' : undefined}>
      <p>{props.why}</p>
      <Show when={isModel()}>
        <LazyPlace>
          <OtherModels composer={props.composer} />
        </LazyPlace>
      </Show>
    </div>
  )
}
