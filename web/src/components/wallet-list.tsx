import { createSignal, For, onMount, Show } from 'solid-js'
import { isDemo } from '../lib/dev-chain.ts'
import type { Notice } from '../lib/purchase/refusal.ts'
import type { WalletOption } from '../lib/wallet/provider.ts'
import { messages } from '../messages/en.ts'
import { purchaseMessages } from '../messages/en-purchase.ts'
import { useApp } from '../primitives/app-context.tsx'
import { Identicon } from './identicon.tsx'

/** The wallets of this browser, one entry each. A wallet that starts later appears automatically. */
export function WalletList(props: { notice: Notice | null }) {
  const app = useApp()
  const [picked, setPicked] = createSignal<string | null>(null)
  onMount(() => app.identity.look())

  const pick = async (option: WalletOption): Promise<void> => {
    setPicked(option.id)
    await app.buy((actions) => actions.pickWallet(option))
    setPicked(null)
  }
  const notice = (): string => {
    if (props.notice === 'wallet_pending') return purchaseMessages.walletList.open
    if (props.notice === 'wallet_failed') return messages.notices.wallet_failed
    return props.notice === null ? '' : purchaseMessages.walletList.rejected
  }
  return (
    <>
      <h2 id="payment-dialog-title">{purchaseMessages.walletList.title}</h2>
      <p>{purchaseMessages.walletList.intro}</p>
      <ul class="wallets">
        <For each={app.identity.options()}>
          {(option, index) => (
            <WalletEntry
              option={option}
              isFirst={index() === 0}
              isPicked={picked() === option.id}
              onPick={() => void pick(option)}
            />
          )}
        </For>
      </ul>
      <Show when={app.identity.options().length === 0}>
        <p>
          <strong>{purchaseMessages.walletList.none}</strong> {purchaseMessages.walletList.noneHelp}
        </p>
      </Show>
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

function WalletEntry(props: { option: WalletOption; isFirst: boolean; isPicked: boolean; onPick(): void }) {
  return (
    <li>
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
