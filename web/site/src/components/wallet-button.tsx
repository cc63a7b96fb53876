import { Show } from 'solid-js'
import { shortHex } from '../../../shared/wallet/provider.ts'
import { messages } from '../messages/active.ts'
import { at } from '../messages/load.ts'
import { useApp } from '../primitives/app-context.tsx'
import { navigate } from '../primitives/router.ts'
import { Identicon } from './identicon.tsx'

/** The Connect button, or the account with a menu (a native popover). */
export function WalletButton() {
  const app = useApp()
  const who = (): string | null => app.identity.session()?.address ?? app.identity.wallet()?.address ?? null
  const leave = async (): Promise<void> => {
    await app.identity.disconnect()
    navigate(at('/'))
  }
  return (
    <Show
      when={who()}
      fallback={
        <button
          type="button"
          class="button button-quiet"
          onClick={() => void app.buy((actions) => actions.signInOnly())}
        >
          {messages.wallet.connect}
        </button>
      }
    >
      {(address) => (
        <>
          <button type="button" class="wallet-button" popovertarget="wallet-menu">
            <Identicon seed={address().toLowerCase()} lines={2} />
            <span class="visually-hidden">{messages.wallet.menu} </span>
            <span class="figures">{shortHex(address())}</span>
          </button>
          <div id="wallet-menu" class="menu" popover>
            <a href={at('/account')} onClick={closeMenu}>
              {messages.nav.account}
            </a>
            <a href={at('/history')} onClick={closeMenu}>
              {messages.nav.history}
            </a>
            <button type="button" onClick={() => void leave()}>
              {messages.wallet.signOut}
            </button>
          </div>
        </>
      )}
    </Show>
  )
}

function closeMenu(): void {
  document.getElementById('wallet-menu')?.hidePopover()
}
