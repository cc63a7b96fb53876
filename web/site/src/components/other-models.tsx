import { Show } from 'solid-js'
import { messages } from '../messages/active.ts'
import { at } from '../messages/load.ts'
import { useApp } from '../primitives/app-context.tsx'
import type { ComposerState } from '../primitives/create-composer.ts'

/** The ways on from a model that cannot be used: another model, and a wallet or a stake that opens this one. */
export default function OtherModels(props: { composer: ComposerState }) {
  const app = useApp()
  return (
    <p class="actions">
      <Show when={props.composer.usable()}>
        {(model) => (
          <button type="button" class="link" onClick={() => props.composer.chooseModel(model().id)}>
            {messages.lock.use(model().name)}
          </button>
        )}
      </Show>
      <Show when={props.composer.model()?.locked}>
        <Show
          when={app.identity.session()}
          fallback={
            <button type="button" class="link" onClick={() => void app.buy((actions) => actions.signInOnly())}>
              {messages.lock.signIn}
            </button>
          }
        >
          <a href={at('/account')}>{messages.lock.stake}</a>
        </Show>
      </Show>
    </p>
  )
}
