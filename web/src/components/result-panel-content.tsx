import { Match, Show, Switch } from 'solid-js'
import { shortHex } from '../lib/browser.ts'
import type { Purchase } from '../lib/purchase/states.ts'
import { type Fields, isFields, maybeStr } from '../lib/shape.ts'
import { purchaseMessages } from '../messages/en-purchase.ts'
import { useApp } from '../primitives/app-context.tsx'
import type { ComposerState } from '../primitives/create-composer.ts'
import { ProblemView } from './problem-view.tsx'
import { ProgressView } from './progress-view.tsx'
import { ResultView } from './result-view.tsx'

/** The result panel while a purchase runs, waits or has ended. */
export default function ResultPanelContent(props: { composer: ComposerState }) {
  const app = useApp()
  const purchase = app.purchase
  /** The state if it is of that kind, else null, for `Match`. */
  const paying = () => only(purchase(), 'paying')
  const held = () => only(purchase(), 'awaiting_sign_in')
  const done = () => only(purchase(), 'done')
  const stopped = () => only(purchase(), 'stopped')
  const again = (): void => {
    const state = purchase()
    const draft = 'draft' in state && state.draft !== null ? state.draft : props.composer.draft()
    if (draft !== null) void app.buy((actions) => actions.begin(draft))
  }
  return (
    <Switch>
      <Match when={paying()}>
        {(state) => <ProgressView state={state()} onGiveUp={() => void app.buy((actions) => actions.abandon())} />}
      </Match>
      <Match when={purchase().at === 'other_tab'}>
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
      <Match when={done()}>
        {(state) => (
          <>
            <p class="visually-hidden" role="status">
              {purchaseMessages.stages.done}
            </p>
            <ResultView
              inference={{ ...state().inference, ...requestOf(state().payment.body) }}
              modelName={state().payment.label.modelName}
              onAgain={again}
            />
          </>
        )}
      </Match>
      <Match when={stopped()}>
        {(state) => (
          <ProblemView problem={state().problem}>
            <Show when={state().progress?.transaction}>{(hash) => <p class="figures hash">{hash()}</p>}</Show>
            <button type="button" class="button" onClick={again}>
              {purchaseMessages.stopped.again}
            </button>
          </ProblemView>
        )}
      </Match>
    </Switch>
  )
}

function only<At extends Purchase['at']>(state: Purchase, at: At): Extract<Purchase, { at: At }> | null {
  return isAt(state, at) ? state : null
}

function isAt<At extends Purchase['at']>(state: Purchase, at: At): state is Extract<Purchase, { at: At }> {
  return state.at === at
}

/** Model and input of a request body that this site sent. */
function requestOf(text: string): { input: Fields; model: string } {
  const from: unknown = JSON.parse(text)
  const body = isFields(from) ? from : {}
  return { input: isFields(body['input']) ? body['input'] : {}, model: maybeStr(body, 'model') ?? '' }
}
