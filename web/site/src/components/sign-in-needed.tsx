import { Match, type ParentProps, Switch } from 'solid-js'
import { messages, purchaseMessages } from '../messages/active.ts'
import { useApp } from '../primitives/app-context.tsx'

/** Shows its children to a signed-in wallet. Others see a button to sign in. */
export function SignInNeeded(props: ParentProps) {
  const app = useApp()
  return (
    <Switch>
      <Match when={app.identity.session() === undefined}>
        <div class="skeleton skeleton-block" role="status" aria-label={messages.common.loading} />
      </Match>
      <Match when={app.identity.session() === null}>
        <div class="empty">
          <h2>{purchaseMessages.signIn.needed}</h2>
          <p>{purchaseMessages.signIn.neededHelp}</p>
          <button type="button" class="button" onClick={() => void app.buy((actions) => actions.signInOnly())}>
            {purchaseMessages.signIn.button}
          </button>
        </div>
      </Match>
      <Match when={true}>{props.children}</Match>
    </Switch>
  )
}
