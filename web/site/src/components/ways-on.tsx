import { For, Show } from 'solid-js'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { WALLET_APPS } from '../../../shared/wallet/apps.ts'
import type { RequestDraft } from '../lib/purchase/states.ts'
import { studioLink } from '../lib/studio-link.ts'
import { walletMessages } from '../messages/active.ts'
import { at } from '../messages/load.ts'
import { QrCode } from './qr-code.tsx'

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
