import { createMemo, createSignal, For, Show, untrack } from 'solid-js'
import { inPlace } from '../../../shared/wallet/discovery.ts'
import { isDemo, type WalletOption } from '../../../shared/wallet/provider.ts'
import type { Notice } from '../lib/purchase/refusal.ts'
import type { Purchase } from '../lib/purchase/states.ts'
import { messages, purchaseMessages } from '../messages/active.ts'
import { walletWords } from '../messages/load.ts'
import { useApp } from '../primitives/app-context.tsx'
import { lazyPart } from '../primitives/lazy-part.ts'
import { Identicon } from './identicon.tsx'
import { LazyPlace } from './lazy-place.tsx'
import { Steps } from './purchase-steps.tsx'

const Pairing = lazyPart(() => import('./pairing.tsx'), walletWords)
const WaysOn = lazyPart(() => import('./ways-on.tsx'), walletWords)

/**
 * The wallets of this browser, one entry each. A wallet that starts later appears automatically, below the others, so that a tap never
 * reaches another wallet than the one that was there.
 */
export function WalletList(props: { state: Extract<Purchase, { at: 'wallet' }> }) {
  const app = useApp()
  const [picked, setPicked] = createSignal<string | null>(null)
  app.identity.look()

  const pick = async (option: WalletOption): Promise<void> => {
    setPicked(option.id)
    await app.buy((actions) => actions.pickWallet(option))
    setPicked(null)
  }
  const notice = (): string => {
    if (props.state.notice === 'wallet_pending') return purchaseMessages.walletList.open
    if (props.state.notice === 'cancelled') return purchaseMessages.walletList.rejected
    return noticeText(props.state.notice, props.state.walletMessage)
  }
  const isTwin = (option: WalletOption): boolean =>
    app.identity.options().some(({ id, name }) => id !== option.id && name === option.name)
  const listed = createMemo<WalletOption[]>((before) => inPlace(before, app.identity.options()), [])
  const first = untrack(listed)
  return (
    <>
      <Show when={props.state.draft}>
        <Steps now={0} />
      </Show>
      <h2 id="payment-dialog-title">{purchaseMessages.walletList.title}</h2>
      <p>{purchaseMessages.walletList.intro}</p>
      <ul class="wallets">
        <For each={listed()}>
          {(option, index) => (
            <WalletEntry
              option={option}
              isTwin={isTwin(option)}
              isFirst={index() === 0}
              isLate={!first.some(({ id }) => id === option.id)}
              isPicked={picked() === option.id}
              onPick={() => void pick(option)}
            />
          )}
        </For>
      </ul>
      <PairingPlace picked={picked()} />
      <NoneFound listed={listed()} />
      <Elsewhere state={props.state} />
      <p class="dialog-notice" role="status">
        {notice()}
      </p>
      <div class="actions">
        <button
          type="button"
          class="button button-quiet"
          onClick={() => void app.buy((actions) => actions.cancel(null))}
        >
          {messages.common.close}
        </button>
      </div>
    </>
  )
}

/** Says that this browser had no wallet when the list was opened. The space of the sentence is for the first that appears. */
function NoneFound(props: { listed: WalletOption[] }) {
  const hasLocal = (): boolean => props.listed.some(({ remote }) => remote === undefined)
  return (
    <Show when={!untrack(hasLocal)}>
      <p class="wallets-none" classList={{ 'wallets-none-past': hasLocal() }}>
        <strong>{purchaseMessages.walletList.none}</strong> {purchaseMessages.walletList.noneHelp}
      </p>
    </Show>
  )
}

/** How to connect the chosen wallet, if it is on another device. */
function PairingPlace(props: { picked: string | null }) {
  const app = useApp()
  return (
    <Show when={app.identity.options().find(({ id }) => id === props.picked)?.remote}>
      {(remote) => (
        <LazyPlace>
          <Pairing remote={remote()} />
        </LazyPlace>
      )}
    </Show>
  )
}

/** Ways to a wallet outside of this browser. They are shown at once if it has none. */
function Elsewhere(props: { state: Extract<Purchase, { at: 'wallet' }> }) {
  const app = useApp()
  const [opened, setOpened] = createSignal(false)
  /** A real wallet was in this browser when the list was opened. A later one moves nothing. */
  const hasOwn = untrack(app.identity.options).some((option) => !isDemo(option) && option.remote === undefined)
  return (
    <details
      class="quote-details"
      open={!hasOwn}
      onToggle={(event) => setOpened((before) => before || event.currentTarget.open)}
    >
      <summary>{hasOwn ? purchaseMessages.walletList.onPhone : purchaseMessages.walletList.elsewhere}</summary>
      <Show when={opened()}>
        <LazyPlace placeholder={<div class="ways-on" />}>
          <WaysOn draft={props.state.draft} />
        </LazyPlace>
      </Show>
    </details>
  )
}

/** What to say about a notice. The wallet’s own words are shown as it wrote them. */
export function noticeText(notice: Notice | null, walletMessage: string): string {
  if (notice === 'wallet_failed' && walletMessage !== '') return purchaseMessages.walletList.failed(walletMessage)
  return notice === null ? '' : purchaseMessages.notices[notice]
}

interface EntryProps {
  option: WalletOption
  /** Another wallet has the same name. */
  isTwin: boolean
  isFirst: boolean
  /** It appeared when the list was open. */
  isLate: boolean
  isPicked: boolean
  onPick(): void
}

function WalletEntry(props: EntryProps) {
  return (
    <li classList={{ 'wallet-late': props.isLate }}>
      <button
        type="button"
        class="wallet"
        {...(props.isFirst ? { 'data-first': true } : {})}
        disabled={props.isPicked}
        onClick={() => props.onPick()}
      >
        <Show when={props.option.icon} fallback={<Identicon seed={props.option.id} lines={2} />}>
          {(icon) => <img src={icon()} alt="" width="36" height="36" />}
        </Show>
        <span>
          <strong>{props.option.name}</strong>
          <Show when={props.isTwin}>
            <small>{props.option.id}</small>
          </Show>
          <Show when={isDemo(props.option)}>
            <small>{purchaseMessages.walletList.demoHelp}</small>
          </Show>
          <Show when={props.isPicked}>
            <small role="status">{purchaseMessages.walletList.connecting}</small>
          </Show>
        </span>
      </button>
    </li>
  )
}
