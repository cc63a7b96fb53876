import { keepSetting, siteStorage } from '../storage.ts'
import { shared } from '../texts.ts'
import { DEMO_ID, type WalletOption } from './provider.ts'

const CHOSEN = 'coinslot.demo'

const listeners = new Map<string, Set<(value: unknown) => void>>()

/** A wallet in the page with the local chain's public test keys. Its code is loaded at its first request. */
export const demoOption: WalletOption = {
  id: DEMO_ID,
  // Read when it is shown: the texts may be loaded after this code.
  get name() {
    return shared.demoWallet
  },
  icon: null,
  provider: {
    request: async ({ method, params }) => {
      const { demoRequest } = await import('./demo.ts')
      return demoRequest(siteStorage().getItem(CHOSEN), method, Array.isArray(params) ? params : [])
    },
    on: (event, listener) => listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event, listener) => listeners.get(event)?.delete(listener),
  },
}

/** Moves the demo wallet to another of its keys, as a person would in a real wallet. */
export function chooseDemoAccount(address: string): void {
  keepSetting(CHOSEN, address)
  for (const listener of listeners.get('accountsChanged') ?? []) listener([address])
}
