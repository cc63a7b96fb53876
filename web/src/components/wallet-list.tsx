import { createSignal, For, onMount, Show } from 'solid-js'
import type { Remark } from '../lib/purchase/not-signed.ts'
import { isDemo } from '../lib/wallet/demo-id.ts'
import type { WalletOption } from '../lib/wallet/provider.ts'
import { useApp } from '../primitives/app-context.tsx'
import { words } from '../words/en.ts'
import { Rosette } from './rosette.tsx'

/** The wallets of this browser, one entry each; one that announces itself later appears by itself. */
export function WalletList(props: { remark: Remark | null }) {
  const app = useApp()
  const [picked, setPicked] = createSignal<string | null>(null)
  onMount(() => app.identity.look())

  const pick = async (option: WalletOption): Promise<void> => {
    setPicked(option.id)
    await app.buying().then((buy) => buy.pickWallet(option))
    setPicked(null)
  }
  const remark = (): string => {
    if (props.remark === 'wallet_pending') return words.wallet.open
    return props.remark === null ? '' : words.wallet.rejected
  }
  return (
    <>
      <h2 id="sheet-title">{words.wallet.title}</h2>
      <p>{words.wallet.intro}</p>
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
                <Show when={option.icon} fallback={<Rosette seed={option.id} lines={2} />}>
                  {(icon) => <img src={icon()} alt="" width="36" height="36" />}
                </Show>
                <span>
                  <strong>{option.name}</strong>
                  <Show when={isDemo(option)}>
                    <small>{words.wallet.demoHelp}</small>
                  </Show>
                  <Show when={picked() === option.id}>
                    <small role="status">{words.wallet.connecting}</small>
                  </Show>
                </span>
              </button>
            </li>
          )}
        </For>
      </ul>
      <Show when={app.identity.options().length === 0}>
        <p>
          <strong>{words.wallet.none}</strong> {words.wallet.noneHelp}
        </p>
      </Show>
      <p class="sheet-remark" role="status">
        {remark()}
      </p>
      <div class="actions">
        <button
          type="button"
          class="button button-quiet"
          onClick={() => void app.buying().then((buy) => buy.cancel(null))}
        >
          {words.common.close}
        </button>
      </div>
    </>
  )
}
