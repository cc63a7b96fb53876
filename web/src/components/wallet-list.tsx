import { createSignal, For, onMount, Show } from 'solid-js'
import type { Notice } from '../lib/purchase/refusal.ts'
import { isDemo } from '../lib/wallet/demo-id.ts'
import type { WalletOption } from '../lib/wallet/provider.ts'
import { messages } from '../messages/en.ts'
import { purchaseMessages } from '../messages/en-purchase.ts'
import { useApp } from '../primitives/app-context.tsx'
import { Identicon } from './identicon.tsx'

/** The wallets of this browser, one entry each; one that announces itself later appears by itself. */
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
    return props.notice === null ? '' : purchaseMessages.walletList.rejected
  }
  return (
    <>
      <h2 id="payment-dialog-title">{purchaseMessages.walletList.title}</h2>
      <p>{purchaseMessages.walletList.intro}</p>
      <ul class="wallets">
        <For each={app.identity.options()}>
          {(option, index) => (
            <li>
              <button
                type="button"
                class="wallet"
                {...(index() === 0 ? { 'data-first': true } : {})}
                disabled={picked() === option.id}
                onClick={() => void pick(option)}
              >
                <Show when={option.icon} fallback={<Identicon seed={option.id} lines={2} />}>
                  {(icon) => <img src={icon()} alt="" width="36" height="36" />}
                </Show>
                <span>
                  <strong>{option.name}</strong>
                  <Show when={isDemo(option)}>
                    <small>{purchaseMessages.walletList.demoHelp}</small>
                  </Show>
                  <Show when={picked() === option.id}>
                    <small role="status">{purchaseMessages.walletList.connecting}</small>
                  </Show>
                </span>
              </button>
            </li>
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
