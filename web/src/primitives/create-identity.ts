import { createSignal, onCleanup, onMount } from 'solid-js'
import { getJson, service } from '../lib/api.ts'
import { fields, maybeNum, maybeStr } from '../lib/shape.ts'
import { discoverWallets, withInjected } from '../lib/wallet/discovery.ts'
import { type WalletTrouble, walletTrouble, walletWords } from '../lib/wallet/errors.ts'
import { firstAccount, sameAddress, type WalletOption } from '../lib/wallet/provider.ts'
import { messages } from '../messages/en.ts'
import { nextTask } from './task-queue.ts'

const REMEMBERED = 'coinslot.wallet'
/** How long a button waits for the wallet of last time before it asks which one. */
const RECONNECT_MS = 600

export interface Session {
  address: string
  chainId: number
}

/** The wallet that is connected to this page. */
export interface Connected {
  option: WalletOption
  address: string
}

/** Why a request to the wallet came to nothing. */
export interface Refusal {
  trouble: WalletTrouble
  said: string
}

export function refusalOf(error: unknown): Refusal {
  return { trouble: walletTrouble(error), said: walletWords(error) }
}

function readSession(body: unknown): Session | null {
  const from = fields(body)
  const [address, chainId] = [maybeStr(from, 'address'), maybeNum(from, 'chainId')]
  return address === null || chainId === null ? null : { address, chainId }
}

export type Identity = ReturnType<typeof createIdentity>

/**
 * Who is here: the session of the server (`undefined` until known) and the wallet of the browser, kept in step.
 * A change of the wallet's account ends the session, except while `busy()` says that a payment of it is on its way.
 */
export function createIdentity(busy: () => boolean, onWalletChange: (first: boolean) => void) {
  const [session, setSession] = createSignal<Session | null>()
  const [announced, setAnnounced] = createSignal<WalletOption[]>([])
  const [injected, setInjected] = createSignal<unknown>(null)
  /** Counts sign-ins and sign-outs: what was read for somebody is read anew for the next. */
  const [epoch, setEpoch] = createSignal(0)
  const [demo, setDemo] = createSignal<WalletOption[]>([])
  const [wallet, setWallet] = createSignal<Connected | null>(null)
  let detach = (): void => undefined
  const { promise: back, resolve: cameBack } = Promise.withResolvers<void>()
  if (localStorage.getItem(REMEMBERED) === null) cameBack()
  else setTimeout(cameBack, RECONNECT_MS)

  const options = (): WalletOption[] => [...demo(), ...withInjected(announced(), injected(), messages.wallet.injected)]

  /** Reads the session anew; a server out of reach leaves it as it is. */
  async function refresh(): Promise<void> {
    setSession(await getJson('/api/auth/session', readSession).catch(() => session() ?? null))
  }

  async function connect(option: WalletOption): Promise<Refusal | null> {
    try {
      attach(option)
      const address = firstAccount(await option.provider.request({ method: 'eth_requestAccounts' }))
      if (address === null) return { trouble: 'rejected', said: '' }
      remember(option, address)
      return null
    } catch (error) {
      return refusalOf(error)
    }
  }

  function remember(option: WalletOption, address: string): void {
    localStorage.setItem(REMEMBERED, option.id)
    setWallet({ option, address })
    cameBack()
    endForeignSession(address)
  }

  function endForeignSession(address: string): void {
    const current = session()
    if (current && !sameAddress(current.address, address) && !busy()) void signOut()
  }

  /** One set of listeners at a time, on the wallet that was chosen last. */
  function attach(option: WalletOption): void {
    detach()
    const { provider } = option
    const onAccounts = (accounts: unknown): void => {
      const next = firstAccount(accounts)
      const before = wallet()
      // Wallets fire this on load, too, and in other letter case: the same account is no change.
      if (next !== null && before !== null && sameAddress(next, before.address)) return
      if (next === null) {
        // Locked, or between two accounts: nobody is signed out by it.
        if (before !== null) onWalletChange(false)
        return
      }
      remember(option, next)
      onWalletChange(before === null)
    }
    provider.on?.('accountsChanged', onAccounts)
    detach = () => provider.removeListener?.('accountsChanged', onAccounts)
  }

  /** Connects the wallet of last time without asking; a locked one stays unconnected. */
  async function reconnect(found: WalletOption[]): Promise<void> {
    const option = found.find(({ id }) => id === localStorage.getItem(REMEMBERED))
    if (option === undefined || wallet() !== null) return
    const accounts: unknown = await option.provider.request({ method: 'eth_accounts' }).catch(() => null)
    const address = firstAccount(accounts)
    if (address === null || wallet() !== null) return
    attach(option)
    remember(option, address)
  }

  /** Signs in with the connected wallet. Throws what the wallet or the server says. */
  async function signIn(servedChains: readonly number[]): Promise<void> {
    const connected = wallet()
    if (connected === null) throw new Error('no wallet')
    const { signInWith } = await import('../lib/wallet/sign-in.ts')
    setSession(await signInWith(connected.option.provider, connected.address, servedChains))
    setEpoch((count) => count + 1)
  }

  async function signOut(): Promise<void> {
    setSession(null)
    // The first answer brings the token that the second call needs.
    await getJson('/api/auth/session', () => null)
      .then(() => service().call('/api/auth/logout', { method: 'POST', body: '{}' }))
      .then((response) => response.text())
      .catch(() => undefined)
    await refresh()
    setEpoch((count) => count + 1)
  }

  async function disconnect(): Promise<void> {
    localStorage.removeItem(REMEMBERED)
    detach()
    setWallet(null)
    await signOut()
  }

  /** Resolves when the session is known, and the wallet of last time has had its moment to come back. */
  const ready = Promise.all([nextTask().then(refresh), back]).then(() => undefined)

  onMount(() => {
    const lookAgain = (): void => {
      look()
      void reconnect(options())
    }
    onCleanup(
      discoverWallets((found) => {
        setAnnounced(found)
        void reconnect(options())
      }),
    )
    lookAgain()
    window.addEventListener('load', lookAgain)
    window.addEventListener('ethereum#initialized', lookAgain)
    onCleanup(() => {
      window.removeEventListener('load', lookAgain)
      window.removeEventListener('ethereum#initialized', lookAgain)
      detach()
    })
    void addDemoWallet()
  })

  async function addDemoWallet(): Promise<void> {
    // Written out, so that the build of production drops what follows.
    if (import.meta.env.NEXT_PUBLIC_ENABLE_DEV_CHAIN !== 'true') return
    const { demoOption } = await import('../lib/wallet/demo-option.ts')
    setDemo([demoOption])
    await reconnect(options())
  }

  /** Looks once more for a wallet without an announcement, which may have come late. */
  const look = (): void => {
    setInjected(Reflect.get(window, 'ethereum'))
  }

  /** Ends a session whose wallet moved on while a payment was on its way. */
  const reconcile = (): void => {
    const connected = wallet()
    if (connected !== null) endForeignSession(connected.address)
  }

  return { session, epoch, options, wallet, ready, connect, signIn, signOut, disconnect, refresh, reconcile, look }
}
