import { For, Show } from 'solid-js'
import type { RequestDraft } from '../lib/purchase/states.ts'
import { studioLink } from '../lib/studio-link.ts'
import { walletMessages } from '../messages/active.ts'
import { at } from '../messages/load.ts'
import { CopyButton } from './copy-button.tsx'
import { QrCode } from './qr-code.tsx'

interface WalletApp {
  name: string
  /** Address that opens a page in the wallet's own browser. On iOS it works only from a tap. */
  link(page: string): string
}

/** Wallets for phones that have a browser. */
const WALLET_APPS: readonly WalletApp[] = [
  // MetaMask takes the address without its scheme.
  { name: 'MetaMask', link: (page) => `https://link.metamask.io/dapp/${page.replace(/^https?:\/\//, '')}` },
  { name: 'Base', link: (page) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(page)}` },
  { name: 'Trust', link: (page) => `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(page)}` },
  {
    name: 'OKX',
    link: (page) =>
      `https://web3.okx.com/download?deeplink=${encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${encodeURIComponent(page)}`)}`,
  },
]

const text = () => walletMessages.waysOn

/** Ways to a wallet that is not in this browser: its own browser on a phone, a QR code on a desktop. The draft goes along. */
export default function WaysOn(props: { draft: RequestDraft | null }) {
  const address = (): string => {
    const { draft } = props
    return draft === null ? location.href : new URL(at(studioLink(draft.model, draft.input)), location.href).href
  }
  return (
    <div class="ways-on">
      <Show
        when={matchMedia('(pointer: coarse)').matches}
        fallback={
          <div class="fund">
            <QrCode text={address()} label={text().qr} />
            <p>{text().desktop}</p>
          </div>
        }
      >
        <p>{text().phone}</p>
        <ul class="actions">
          <For each={WALLET_APPS}>
            {(app) => (
              <li>
                <a class="button button-quiet" href={app.link(address())}>
                  {app.name}
                </a>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <p>
        <a href="https://ethereum.org/wallets/find-wallet/" target="_blank" rel="noreferrer">
          {text().getOne}
        </a>{' '}
        <CopyButton text={address()} what={text().copy} label={text().copy} />
      </p>
    </div>
  )
}
