import { messages } from '../../messages/en.ts'
import { DEMO_ID } from './demo-id.ts'
import type { WalletOption } from './provider.ts'

const CHOSEN = 'coinslot.demo'

const listeners = new Map<string, Set<(value: unknown) => void>>()

/** A wallet in the page, holding the local chain's public test keys; its code is loaded when it is first asked for something. */
export const demoOption: WalletOption = {
  id: DEMO_ID,
  name: messages.wallet.demo,
  icon: null,
  provider: {
    request: async ({ method, params }) => {
      const { demoRequest } = await import('./demo.ts')
      return demoRequest(localStorage.getItem(CHOSEN), method, Array.isArray(params) ? params : [])
    },
    on: (event, listener) => listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event, listener) => listeners.get(event)?.delete(listener),
  },
}

/** Moves the demo wallet to another of its keys, as a person would in a real wallet. */
export function chooseDemoAccount(address: string): void {
  localStorage.setItem(CHOSEN, address)
  for (const listener of listeners.get('accountsChanged') ?? []) listener([address])
}
