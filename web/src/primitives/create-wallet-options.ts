import { createSignal, onCleanup, onMount } from 'solid-js'
import { discoverWallets, withInjected } from '../lib/wallet/discovery.ts'
import type { WalletOption } from '../lib/wallet/provider.ts'
import { messages } from '../messages/active.ts'

/** The wallets of this browser. Calls `onFound` with the whole list each time one appears. */
export function createWalletOptions(onFound: (options: WalletOption[]) => void) {
  const [announced, setAnnounced] = createSignal<WalletOption[]>([])
  const [injected, setInjected] = createSignal<unknown>(null)
  const [demo, setDemo] = createSignal<WalletOption[]>([])
  const options = (): WalletOption[] => [...demo(), ...withInjected(announced(), injected(), messages.wallet.injected)]

  /** Looks again for a wallet that does not announce itself. It may have started late. */
  const look = (): void => {
    setInjected(Reflect.get(window, 'ethereum'))
  }
  const lookAgain = (): void => {
    look()
    onFound(options())
  }

  async function addDemoWallet(): Promise<void> {
    // Written out, so that the production build drops what follows.
    if (import.meta.env.NEXT_PUBLIC_ENABLE_DEV_CHAIN !== 'true') return
    const { demoOption } = await import('../lib/wallet/demo-option.ts')
    setDemo([demoOption])
    onFound(options())
  }

  onMount(() => {
    onCleanup(
      discoverWallets((found) => {
        setAnnounced(found)
        onFound(options())
      }),
    )
    lookAgain()
    window.addEventListener('load', lookAgain)
    window.addEventListener('ethereum#initialized', lookAgain)
    onCleanup(() => {
      window.removeEventListener('load', lookAgain)
      window.removeEventListener('ethereum#initialized', lookAgain)
    })
    addDemoWallet().catch((cause: unknown) => console.warn('coinslot: no demo wallet', cause))
  })

  return { options, look }
}
