import { createEffect, Match, onCleanup, onMount, Show, Switch } from 'solid-js'
import { buysWithoutSiteData } from '../../../shared/storage.ts'
import { catchBackButton } from '../lib/back-button.ts'
import type { Purchase } from '../lib/purchase/states.ts'
import { messages, pageMessages, purchaseMessages } from '../messages/active.ts'
import { pageWords } from '../messages/load.ts'
import { useApp } from '../primitives/app-context.tsx'
import { lazyPart } from '../primitives/lazy-part.ts'
import { LazyPlace } from './lazy-place.tsx'
import { Steps } from './purchase-steps.tsx'
import { QuoteSelection } from './quote-summary.tsx'
import { WalletList } from './wallet-list.tsx'

const SiteDataBlocked = lazyPart(() => import('./site-data-blocked.tsx'), pageWords)

/** The dialog of a purchase: choose a wallet, sign in, review and sign. It closes when the signature is there. */
export default function PaymentDialog() {
  const app = useApp()
  let dialog: HTMLDialogElement | undefined
  const cancel = (): void => void app.buy((actions) => actions.cancel())

  onMount(() => {
    // In browsers that support it, a tap outside closes the dialog. Escape and the button work everywhere.
    dialog?.setAttribute('closedby', 'any')
    dialog?.showModal()
    // After the signature the line may be gone.
    import('./result-panel-content.tsx').catch(() => undefined)
    onCleanup(catchBackButton(cancel))
  })
  onCleanup(() => dialog?.close())
  // Each step starts with the focus on its first action.
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
          <Match when={asked(app.purchase(), 'site_data_blocked')}>
            {(state) => (
              <LazyPlace>
                <SiteDataBlocked canBuy={state().draft !== null} />
              </LazyPlace>
            )}
          </Match>
          <Match when={asked(app.purchase(), 'wallet')}>{(state) => <WalletList state={state()} />}</Match>
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
      <Show when={props.state.draft}>
        <Steps now={1} />
      </Show>
      <h2 id="payment-dialog-title">{purchaseMessages.signIn.title}</h2>
      <p>{buysWithoutSiteData() ? pageMessages.withoutSiteData.proof : purchaseMessages.signIn.intro}</p>
      <p class="figures payment-dialog-address">{app.identity.wallet()?.address}</p>
      <p class="dialog-notice" role="status">
        {props.state.error ?? (props.state.notice === null ? '' : purchaseMessages.notices[props.state.notice])}
      </p>
      <div class="actions">
        <button
          type="button"
          class="button button-pay"
          data-first
          disabled={props.state.waiting}
          onClick={() => void app.buy((actions) => actions.signIn())}
        >
          <Show when={props.state.waiting} fallback={purchaseMessages.signIn.button}>
            {purchaseMessages.signIn.waiting}
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
      <h2 id="payment-dialog-title">{purchaseMessages.payment.title}</h2>
      <div role="status" aria-label={purchaseMessages.payment.loading}>
        <div class="skeleton skeleton-title" />
        <div class="skeleton skeleton-row" />
        <div class="skeleton skeleton-row" />
      </div>
    </>
  )
}
