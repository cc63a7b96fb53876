import { For, type ParentProps, Show } from 'solid-js'
import { shortHex } from '../../../shared/wallet/provider.ts'
import { messages } from '../messages/active.ts'
import { useSale } from '../sale-context.tsx'

/** Its children once a wallet is connected; before that, the wallets to choose from. */
export function WithWallet(props: ParentProps<{ title: string }>) {
  const { wallet } = useSale()
  return (
    <Show when={wallet.wallet()} fallback={<Choose title={props.title} />}>
      {(connected) => (
        <>
          <p class="own-wallet">
            <span>
              {messages.wallet.account} <span class="figures">{shortHex(connected().address)}</span>
            </span>
            <button type="button" class="link" onClick={() => wallet.disconnect()}>
              {messages.wallet.change}
            </button>
          </p>
          {props.children}
        </>
      )}
    </Show>
  )
}

function Choose(props: { title: string }) {
  const { wallet } = useSale()
  const failed = (): string => {
    const found = wallet.trouble()
    if (found === null) return ''
    return found.trouble === 'other' ? messages.walletSaid(found.said) : messages.troubles[found.trouble]
  }
  return (
    <div class="choose-wallet">
      <p>{wallet.options().length === 0 ? messages.wallet.none : props.title}</p>
      <ul class="actions">
        <For each={wallet.options()}>
          {(option) => (
            <li>
              <button type="button" class="button" onClick={() => void wallet.connect(option)}>
                {option.name}
              </button>
            </li>
          )}
        </For>
      </ul>
      <p role="status">{failed()}</p>
    </div>
  )
}
