import { Match, Show, Switch } from 'solid-js'
import { shortHex } from '../lib/browser.ts'
import type { Purchase } from '../lib/purchase/states.ts'
import { type Fields, isFields, maybeStr } from '../lib/shape.ts'
import { useApp } from '../primitives/app-context.tsx'
import type { ComposerState } from '../primitives/create-composer.ts'
import { words } from '../words/en.ts'
import { ProblemView } from './problem-view.tsx'
import { ProgressView } from './progress-view.tsx'
import { ResultView } from './result-view.tsx'

/** The bed of the studio while a purchase runs, waits, or has ended. */
export default function BedContent(props: { composer: ComposerState }) {
  const app = useApp()
  const purchase = app.purchase
  /** The state where it is of that kind, else null: what `Match` narrows by. */
  const paying = () => only(purchase(), 'paying')
  const held = () => only(purchase(), 'held')
  const done = () => only(purchase(), 'done')
  const stopped = () => only(purchase(), 'stopped')
  const again = (): void => {
    const state = purchase()
    const wish = 'wish' in state && state.wish !== null ? state.wish : props.composer.wish()
    if (wish !== null) void app.buying().then((buy) => buy.begin(wish))
  }
  return (
    <Switch>
      <Match when={paying()}>
        {(state) => <ProgressView state={state()} onGiveUp={() => void app.buying().then((buy) => buy.abandon())} />}
      </Match>
      <Match when={purchase().at === 'elsewhere'}>
        <div class="notice" role="status">
          <p>{words.stages.elsewhere}</p>
        </div>
      </Match>
      <Match when={held()}>
        {(state) => (
          <div class="notice" role="status">
            <p>{words.stages.held(shortHex(state().payer))}</p>
            <button type="button" class="button" onClick={() => void app.buying().then((buy) => buy.collect())}>
              {words.stages.collect}
            </button>
          </div>
        )}
      </Match>
      <Match when={done()}>
        {(state) => (
          <>
            <p class="visually-hidden" role="status">
              {words.stages.done}
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
              {words.stopped.again}
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

/** Model and input of a request body that this site once sent. */
function requestOf(text: string): { input: Fields; model: string } {
  const from: unknown = JSON.parse(text)
  const body = isFields(from) ? from : {}
  return { input: isFields(body['input']) ? body['input'] : {}, model: maybeStr(body, 'model') ?? '' }
}
