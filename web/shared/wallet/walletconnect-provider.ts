import { UniversalProvider } from '@walletconnect/universal-provider'
import { DEV_CHAIN, type Provider } from './provider.ts'

/** The project id that a deployment registered with WalletConnect, and the relay. */
export interface RelaySettings {
  projectId: string
  relayUrl: string
}

export interface RemoteProvider extends Pick<Provider, 'request'> {
  /** Ends the session with the wallet. */
  disconnect(): Promise<void>
}

interface Listeners {
  emit(event: string, value: unknown): void
  /** Called with the `wc:` address that a wallet scans or opens. */
  showUri(uri: string): void
}

/** The methods that the site asks of a wallet. Everything else is read from a node. */
const METHODS = [
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'wallet_getCapabilities',
  'wallet_sendCalls',
  'wallet_getCallsStatus',
]

/** Opens the relay and continues the session of an earlier visit, if there is one. */
export async function openRemote(
  { projectId, relayUrl }: RelaySettings,
  chains: readonly number[],
  { emit, showUri }: Listeners,
): Promise<RemoteProvider> {
  const wallet = await UniversalProvider.init({
    projectId,
    relayUrl,
    metadata: {
      name: 'Coinslot',
      description: document.title,
      url: location.origin,
      icons: [`${location.origin}/icon-192.png`],
    },
    logger: 'silent',
    telemetryEnabled: false,
    disableProviderPing: true,
  })
  // WalletConnect's Verify service knows public sites only. Without this, each request on a local site waits 5 s for it.
  if (DEV_CHAIN) Reflect.set(wallet.client.core.verify, 'isDevEnv', true)
  wallet.on('display_uri', showUri)
  wallet.on('accountsChanged', (accounts: unknown) => emit('accountsChanged', accounts))
  wallet.on('chainChanged', (chain: unknown) => emit('chainChanged', chain))
  wallet.on('disconnect', () => emit('accountsChanged', []))

  let connecting: Promise<unknown> | undefined
  /** Offers one connection at a time, so that the shown address is the one that counts. */
  const connect = (): Promise<unknown> => {
    connecting ??= wallet.connect({ optionalNamespaces: { eip155: namespaceOf(chains) } }).finally(() => {
      connecting = undefined
    })
    return connecting
  }
  const accounts = async (): Promise<unknown> => (wallet.session ? wallet.request({ method: 'eth_accounts' }) : [])
  return {
    async request({ method, params }) {
      if (method === 'eth_accounts') return accounts()
      if (method !== 'eth_requestAccounts') return wallet.request({ method, params: listOf(params) })
      if (!wallet.session) await connect()
      return accounts()
    },
    async disconnect() {
      if (wallet.session) await wallet.disconnect()
    },
  }
}

const listOf = (params: unknown): unknown[] => (Array.isArray(params) ? params : [])

function namespaceOf(chains: readonly number[]) {
  return {
    chains: chains.map((chain) => `eip155:${chain}`),
    methods: METHODS,
    events: ['accountsChanged', 'chainChanged'],
    // Reads of the local chain go through the site's own origin. For public chains the package has nodes.
    ...(DEV_CHAIN ? { rpcMap: Object.fromEntries(chains.map((chain) => [chain, `${location.origin}/dev/rpc`])) } : {}),
  }
}
