import { createSignal, onCleanup, Show } from 'solid-js'
import { CopyButton } from '../../../shared/copy-button.tsx'
import type { WalletOption } from '../../../shared/wallet/provider.ts'
import { walletMessages } from '../messages/active.ts'
import { QrCode } from './qr-code.tsx'

const text = () => walletMessages.pairing

/** The address that connects a wallet on another device: a QR code to scan, a link on a phone. */
export default function Pairing(props: { remote: NonNullable<WalletOption['remote']> }) {
  const [uri, setUri] = createSignal<string | null>(null)
  onCleanup(props.remote.onUri(setUri))
  return (
    <div class="ways-on" role="status">
      <Show when={uri()} fallback={<p>{text().loading}</p>}>
        {(address) => (
          <>
            <div class="fund">
              <QrCode text={address()} label={text().qr} />
              <p>{text().scan}</p>
            </div>
            <p class="actions">
              <Show when={matchMedia('(pointer: coarse)').matches}>
                <a class="button" href={address()}>
                  {text().open}
                </a>
              </Show>
              <CopyButton text={address()} what={text().copy} button={text().copy} />
            </p>
          </>
        )}
      </Show>
    </div>
  )
}
