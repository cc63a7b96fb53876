import { devFacts } from '../dev-chain.ts'
import { DEV_CHAIN, type WalletOption } from './provider.ts'
import type { RelaySettings, RemoteProvider } from './walletconnect-provider.ts'

const RELAY_URL = 'wss://relay.walletconnect.org'

/** The wallets that the site itself brings: the demo wallet of the local stack, and WalletConnect where it is configured. */
export async function ownOptions(servedChains: () => Promise<number[]>): Promise<WalletOption[]> {
  const demo: WalletOption[] = []
  // Written out, so that the production build drops the demo wallet.
  if (import.meta.env.NEXT_PUBLIC_ENABLE_DEV_CHAIN === 'true') demo.push((await import('./demo-option.ts')).demoOption)
  const remote = await walletConnectOption(servedChains)
  return remote === null ? demo : [...demo, remote]
}

/** Where WalletConnect is reached, or null if this deployment does not offer it. */
async function relaySettings(): Promise<RelaySettings | null> {
  const projectId = import.meta.env.NEXT_PUBLIC_WALLETCONNECT_PROJECT_ID ?? ''
  if (projectId !== '') return { projectId, relayUrl: RELAY_URL }
  return DEV_CHAIN ? (await devFacts()).walletConnect : null
}

/**
 * A wallet on another device, connected through WalletConnect's relay. Null if this deployment does not offer it. The package is
 * loaded at the first request: when a person chooses it, or chose it at the last visit.
 */
async function walletConnectOption(servedChains: () => Promise<number[]>): Promise<WalletOption | null> {
  const settings = await relaySettings()
  if (settings === null) return null
  const shows = new Set<(uri: string) => void>()
  /** The address that no wallet has answered yet. */
  let uri: string | null = null
  const showUri = (next: string): void => {
    uri = next
    for (const show of shows) show(next)
  }
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const emit = (event: string, value: unknown): void => {
    for (const listener of listeners.get(event) ?? []) listener(value)
  }
  let opened: Promise<RemoteProvider> | undefined
  const open = (): Promise<RemoteProvider> => {
    opened ??= import('./walletconnect-provider.ts')
      .then(async ({ openRemote }) => openRemote(settings, await servedChains(), { emit, showUri }))
      .catch((error: unknown) => {
        opened = undefined
        throw error
      })
    return opened
  }
  return {
    id: 'walletconnect',
    name: 'WalletConnect',
    icon: null,
    provider: {
      async request(args) {
        const wallet = await open()
        const answer = await wallet.request(args)
        uri = null
        return answer
      },
      on: (event, listener) => listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
      removeListener: (event, listener) => listeners.get(event)?.delete(listener),
    },
    remote: {
      onUri(show) {
        shows.add(show)
        if (uri !== null) show(uri)
        return () => void shows.delete(show)
      },
      disconnect: async () => (await open()).disconnect(),
    },
  }
}
