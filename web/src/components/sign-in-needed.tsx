import { Match, type ParentProps, Switch } from 'solid-js'
import { useApp } from '../primitives/app-context.tsx'
import { words } from '../words/en.ts'

/** Its children for a signed-in wallet; else a calm way to sign in. */
export function SignInNeeded(props: ParentProps) {
  const app = useApp()
  return (
    <Switch>
      <Match when={app.identity.session() === undefined}>
        <div class="skeleton skeleton-block" role="status" aria-label={words.common.loading} />
      </Match>
      <Match when={app.identity.session() === null}>
        <div class="empty">
          <h2>{words.signIn.needed}</h2>
          <p>{words.signIn.neededHelp}</p>
          <button type="button" class="button" onClick={() => void app.buying().then((buy) => buy.enter())}>
            {words.signIn.button}
          </button>
        </div>
      </Match>
      <Match when={true}>{props.children}</Match>
    </Switch>
  )
}
