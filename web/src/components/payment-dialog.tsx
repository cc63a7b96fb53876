import { createEffect, Match, onCleanup, onMount, Show, Switch } from 'solid-js'
import type { Purchase } from '../lib/purchase/states.ts'
import { messages } from '../messages/en.ts'
import { useApp } from '../primitives/app-context.tsx'
import { QuoteSelection } from './quote-summary.tsx'
import { WalletList } from './wallet-list.tsx'

/** The one dialog of a purchase: which wallet, sign in, what is signed. It ends when the signature is there. */
export default function PaymentDialog() {
  const app = useApp()
  let dialog: HTMLDialogElement | undefined
  const cancel = (): void => void app.buying().then((buy) => buy.cancel())

  onMount(() => {
    // A tap beside the sheet closes it where the browser knows how; Escape and the button do everywhere.
    dialog?.setAttribute('closedby', 'any')
    dialog?.showModal()
  })
  onCleanup(() => dialog?.close())
  // Each step begins where reading it begins.
  createEffect(() => {
    const { at } = app.purchase()
    queueMicrotask(() => dialog?.querySelector<HTMLElement>(`[data-step="${at}"] [data-first]`)?.focus())
  })

  return (
    <dialog
      ref={dialog}
      class="payment-dialog"
      aria-labelledby="payment-dialog-title"
      onCancel={(event) => {
        event.preventDefault()
        cancel()
      }}
    >
      <div class="payment-dialog-paper" data-step={app.purchase().at}>
        <Switch>
          <Match when={asked(app.purchase(), 'wallet')}>{(state) => <WalletList notice={state().notice} />}</Match>
          <Match when={asked(app.purchase(), 'sign_in')}>
            {(state) => <SignIn state={state()} onCancel={cancel} />}
          </Match>
          <Match when={app.purchase().at === 'quoting'}>
            <Quoting />
          </Match>
          <Match when={asked(app.purchase(), 'review') ?? asked(app.purchase(), 'signing')}>
            {(state) => <QuoteSelection state={state()} onCancel={cancel} />}
          </Match>
        </Switch>
      </div>
    </dialog>
  )
}

type At<Name extends Purchase['at']> = Extract<Purchase, { at: Name }>

function asked<Name extends Purchase['at']>(state: Purchase, name: Name): At<Name> | null {
  const matches = (value: Purchase): value is At<Name> => value.at === name
  return matches(state) ? state : null
}

function SignIn(props: { state: At<'sign_in'>; onCancel(): void }) {
  const app = useApp()
  return (
    <>
      <h2 id="payment-dialog-title">{messages.signIn.title}</h2>
      <p>{messages.signIn.intro}</p>
      <p class="figures payment-dialog-address">{app.identity.wallet()?.address}</p>
      <p class="dialog-notice" role="status">
        {props.state.error ?? (props.state.notice === null ? '' : messages.notices[props.state.notice])}
      </p>
      <div class="actions">
        <button
          type="button"
          class="button button-pay"
          data-first
          disabled={props.state.waiting}
          onClick={() => void app.buying().then((buy) => buy.signIn())}
        >
          <Show when={props.state.waiting} fallback={messages.signIn.button}>
            {messages.signIn.waiting}
          </Show>
        </button>
        <button type="button" class="button button-quiet" onClick={() => props.onCancel()}>
          {messages.common.cancel}
        </button>
      </div>
    </>
  )
}

function Quoting() {
  return (
    <>
      <h2 id="payment-dialog-title">{messages.payment.title}</h2>
      <div role="status" aria-label={messages.payment.working}>
        <div class="skeleton skeleton-title" />
        <div class="skeleton skeleton-row" />
        <div class="skeleton skeleton-row" />
      </div>
    </>
  )
}
