import type { Offer } from '@coinslot/client/buyer'
import { createSignal, onCleanup, onMount, Show } from 'solid-js'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { askFaucet } from '../../../shared/dev-chain.ts'
import { networkOf } from '../../../shared/wallet/networks.ts'
import { DEV_CHAIN } from '../../../shared/wallet/provider.ts'
import { symbolOf } from '../lib/purchase/offer.ts'
import { purchaseMessages, walletMessages } from '../messages/active.ts'
import { at } from '../messages/load.ts'
import { useApp } from '../primitives/app-context.tsx'
import { QrCode } from './qr-code.tsx'

const text = () => walletMessages.funds
const POLL_MS = 5000

interface Props {
  offer: Offer
  /** What is missing, with its unit. */
  missing: string
  onCheck(): void
}

/** What is missing, and how to get it: the own address, its QR code and the network. Checks the balance until it is enough. */
export default function AddFunds(props: Props) {
  const app = useApp()
  onMount(() => {
    const timer = setInterval(() => props.onCheck(), POLL_MS)
    onCleanup(() => clearInterval(timer))
  })
  const address = (): string => app.identity.wallet()?.address ?? ''
  return (
    <div class="quote-short" role="alert">
      <p>{purchaseMessages.payment.short(props.missing)}</p>
      <Show
        when={symbolOf(props.offer) === 'USDC'}
        fallback={
          <p>
            {text().wrap} <a href={at('/account')}>{text().wrapLink}</a>
          </p>
        }
      >
        <div class="fund">
          <QrCode text={address()} label={text().address} />
          <div>
            <p>{text().fund(networkOf(props.offer.chainId).name)}</p>
            <p class="figures quote-address">
              {address()} <CopyButton text={address()} what={text().address} />
            </p>
            <p>{text().fundHelp}</p>
          </div>
        </div>
      </Show>
      <div class="actions">
        <Show when={DEV_CHAIN && symbolOf(props.offer) === 'USDC'}>
          <Faucet address={address()} onFilled={props.onCheck} />
        </Show>
        <button type="button" class="button button-quiet" onClick={() => props.onCheck()}>
          {text().checkAgain}
        </button>
      </div>
    </div>
  )
}

/** On the local chain: mints test USDC. */
function Faucet(props: { address: string; onFilled(): void }) {
  const [filling, setFilling] = createSignal(false)
  const fill = async (): Promise<void> => {
    setFilling(true)
    await askFaucet(props.address).catch((cause: unknown) => console.warn('coinslot: no faucet', cause))
    setFilling(false)
    props.onFilled()
  }
  return (
    <button type="button" class="button" disabled={filling()} onClick={() => void fill()}>
      {filling() ? text().faucetBusy : text().faucet}
    </button>
  )
}
