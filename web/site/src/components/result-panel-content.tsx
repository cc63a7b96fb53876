import { Match, Show, Switch } from 'solid-js'
import { formatDecimal } from '../../../shared/money.ts'
import { type Fields, isFields, maybeStr } from '../../../shared/shape.ts'
import { shortHex } from '../../../shared/wallet/provider.ts'
import type { Purchase, RequestDraft, Shown } from '../lib/purchase/states.ts'
import { messages, purchaseMessages } from '../messages/active.ts'
import { useApp } from '../primitives/app-context.tsx'
import type { ComposerState } from '../primitives/create-composer.ts'
import { lazyPart } from '../primitives/lazy-part.ts'
import { createTabTitle } from '../primitives/tab-title.ts'
import type { Charge } from './charged-note.tsx'
import { LazyPlace } from './lazy-place.tsx'
import { ProblemView } from './problem-view.tsx'
import { ProgressView } from './progress-view.tsx'
import { ResultView } from './result-view.tsx'

const Compare = lazyPart(() => import('./compare.tsx'))
const RecentResults = lazyPart(() => import('./recent-results.tsx'))

/** The result panel while a purchase runs, waits or has ended. */
export default function ResultPanelContent(props: { composer: ComposerState; shown: Shown }) {
  const app = useApp()
  /** Why a purchase stopped before its payment. The end before it stays below. */
  const unpaid = () => (isAt(props.shown, 'stopped') && props.shown.payment === null ? props.shown : null)
  const main = (): Purchase | null => (unpaid() === null ? props.shown : (unpaid()?.earlier ?? null))
  const again = (state: Purchase | null, seed?: number): void => {
    const draft = (state !== null && 'draft' in state ? state.draft : null) ?? props.composer.draft()
    if (draft === null) return
    const input = seed === undefined ? draft.input : { ...draft.input, seed }
    void app.buy((actions) => actions.begin({ ...draft, input }))
  }
  createTabTitle(() => tabState(props.shown))
  return (
    <>
      <Show when={unpaid()}>
        {(state) => (
          <ProblemView problem={state().problem}>
            <button type="button" class="button" onClick={() => again(state())}>
              {messages.common.retry}
            </button>
          </ProblemView>
        )}
      </Show>
      <Main state={main()} onAgain={again} />
    </>
  )
}

/** What the tab says of a purchase. */
function tabState({ at }: Shown): { text: string; isEnd: boolean } {
  if (at === 'paying') return { text: messages.studio.busy, isEnd: false }
  if (at === 'done') return { text: purchaseMessages.stages.done, isEnd: true }
  return { text: at === 'stopped' ? messages.errors.title : '', isEnd: true }
}

/** The state that is shown in full. */
function Main(props: { state: Purchase | null; onAgain(state: Purchase, seed?: number): void }) {
  const app = useApp()
  /** The state if it is of that kind, else null, for `Match`. */
  const paying = () => only(props.state, 'paying')
  const held = () => only(props.state, 'awaiting_sign_in')
  const left = () => only(props.state, 'payer_left')
  const done = () => only(props.state, 'done')
  const stopped = () => only(props.state, 'stopped')
  return (
    <Switch>
      <Match when={paying()}>
        {(state) => <ProgressView state={state()} onGiveUp={() => void app.buy((actions) => actions.abandon())} />}
      </Match>
      <Match when={props.state?.at === 'other_tab'}>
        <div class="notice" role="status">
          <p>{purchaseMessages.stages.other_tab}</p>
        </div>
      </Match>
      <Match when={held()}>
        {(state) => (
          <div class="notice" role="status">
            <p>{purchaseMessages.stages.awaiting_sign_in(shortHex(state().payer))}</p>
            <button type="button" class="button" onClick={() => void app.buy((actions) => actions.collect())}>
              {purchaseMessages.stages.collect}
            </button>
          </div>
        )}
      </Match>
      <Match when={left()}>
        {(state) => (
          <p class="notice" role="status">
            {purchaseMessages.stages.payer_left[state().charge](shortHex(state().payer))}
          </p>
        )}
      </Match>
      <Match when={done()}>
        {(state) => (
          <Done
            state={state()}
            onAgain={(seed) => props.onAgain(state(), seed)}
            onBuy={(draft) => void app.buy((actions) => actions.begin(draft))}
          />
        )}
      </Match>
      <Match when={stopped()}>
        {(state) => (
          <ProblemView problem={state().problem} charge={chargeOf(state())}>
            <button type="button" class="button" onClick={() => props.onAgain(state())}>
              {purchaseMessages.stopped.again}
            </button>
          </ProblemView>
        )}
      </Match>
    </Switch>
  )
}

function only<State extends Purchase, At extends State['at']>(
  state: State | null,
  at: At,
): Extract<State, { at: At }> | null {
  return state !== null && isAt(state, at) ? state : null
}

function isAt<State extends Purchase, At extends State['at']>(
  state: State,
  at: At,
): state is Extract<State, { at: At }> {
  return state.at === at
}

/** The result, and the last ones of this wallet. */
function Done(props: {
  state: Extract<Shown, { at: 'done' }>
  onAgain(seed?: number): void
  onBuy(draft: RequestDraft): void
}) {
  const made = () => ({
    inference: { ...props.state.inference, ...requestOf(props.state.payment.body) },
    modelName: props.state.payment.label.modelName,
  })
  return (
    <>
      <p class="visually-hidden" role="status">
        {purchaseMessages.stages.done}
      </p>
      <ResultView {...made()} onAgain={(seed) => props.onAgain(seed)} />
      <LazyPlace>
        <Compare {...made()} onBuy={(draft) => props.onBuy(draft)} />
      </LazyPlace>
      <LazyPlace>
        <RecentResults without={props.state.inference.id} />
      </LazyPlace>
    </>
  )
}

function chargeOf({ payment, progress, problem }: Extract<Purchase, { at: 'stopped' }>): Charge {
  const label = payment?.label
  return {
    amount: label === undefined ? null : messages.common.money(formatDecimal(label.amount), label.symbol),
    transaction: progress?.transaction ?? null,
    network: progress?.network ?? label?.network ?? null,
    reference: maybeStr(problem.document, 'id') ?? payment?.inferenceId ?? null,
  }
}

/** Model and input of a request body that this site sent. */
function requestOf(text: string): { input: Fields; model: string } {
  const from: unknown = JSON.parse(text)
  const body = isFields(from) ? from : {}
  return { input: isFields(body['input']) ? body['input'] : {}, model: maybeStr(body, 'model') ?? '' }
}
