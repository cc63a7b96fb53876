import { For, Show } from 'solid-js'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { WALLET_APPS } from '../../../shared/wallet/apps.ts'
import type { RequestDraft } from '../lib/purchase/states.ts'
import { promptIn } from '../lib/records/inference.ts'
import { studioLink } from '../lib/studio-link.ts'
import { walletMessages } from '../messages/active.ts'
import { at } from '../messages/load.ts'
import { QrCode } from './qr-code.tsx'

const text = () => walletMessages.waysOn

/**
 * Ways to a wallet that is not in this browser: its own browser on a phone, a QR code on a desktop. The draft goes along where no other
 * company's server is sent it, and can be copied for the other ways.
 */
export default function WaysOn(props: { draft: RequestDraft | null }) {
  const address = (): URL => {
    const { draft } = props
    return new URL(draft === null ? location.pathname : at(studioLink(draft.model, draft.input)), location.href)
  }
  const page = (): string => address().origin + address().pathname
  return (
    <div class="ways-on">
      <Show
        when={matchMedia('(pointer: coarse)').matches}
        fallback={
          <div class="fund">
            <QrCode text={address().href} label={text().qr} />
            <p>{text().desktop}</p>
          </div>
        }
      >
        <p>{text().phone}</p>
        <ul class="actions">
          <For each={WALLET_APPS}>
            {(app) => (
              <li>
                <a class="button button-quiet" href={app.link(page(), address().hash.slice(1))}>
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
        <CopyButton text={address().href} what={text().copy} label={text().copy} />
        <Show when={props.draft}>
          {(draft) => <CopyButton text={promptIn(draft().input)} what={text().copyPrompt} label={text().copyPrompt} />}
        </Show>
      </p>
    </div>
  )
}
