import { createSignal, onCleanup, onMount } from 'solid-js'
import { shared } from './texts.ts'
import { discoverWallets, withInjected } from './wallet/discovery.ts'
import type { WalletOption } from './wallet/provider.ts'

/**
 * The wallets of this browser. Calls `onFound` with the whole list each time one appears. `ownAdded` resolves when those that the site
 * brings are in it, or cannot be.
 */
export function createWalletOptions(onFound: (options: WalletOption[]) => void, servedChains: () => Promise<number[]>) {
  const [announced, setAnnounced] = createSignal<WalletOption[]>([])
  const [injected, setInjected] = createSignal<unknown>(null)
  const [own, setOwn] = createSignal<WalletOption[]>([])
  const { promise: ownAdded, resolve: endAdding } = Promise.withResolvers<void>()
  const options = (): WalletOption[] => [...own(), ...withInjected(announced(), injected(), shared.injectedWallet)]

  /** Looks again for a wallet that does not announce itself. It may have started late. */
  const look = (): void => {
    setInjected(Reflect.get(window, 'ethereum'))
  }
  const lookAgain = (): void => {
    look()
    onFound(options())
  }

  async function addOwn(): Promise<void> {
    // Written out, so that a build without own wallets drops what follows.
    if (
      import.meta.env.NEXT_PUBLIC_ENABLE_DEV_CHAIN !== 'true' &&
      !import.meta.env.NEXT_PUBLIC_WALLETCONNECT_PROJECT_ID
    )
      return
    const { ownOptions } = await import('./wallet/own-options.ts')
    setOwn(await ownOptions(servedChains))
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
    addOwn()
      .catch((cause: unknown) => console.warn('coinslot: no wallet of the site', cause))
      .finally(endAdding)
  })

  return { options, look, ownAdded }
}
