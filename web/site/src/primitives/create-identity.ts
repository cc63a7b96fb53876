import { type Accessor, createSignal, onCleanup } from 'solid-js'
import { createWalletOptions } from '../../../shared/create-wallet-options.ts'
import { keepSetting, siteStorage } from '../../../shared/storage.ts'
import { nextTask } from '../../../shared/task-queue.ts'
import { firstAccount, sameAddress, type WalletOption } from '../../../shared/wallet/provider.ts'
import { createSession } from './create-session.ts'

const LAST_WALLET = 'coinslot.wallet'
/** How long a button waits for the wallet of the last visit before it shows the list of wallets. */
const RECONNECT_MS = 600
/** A wallet that changes its account may report an empty list for a moment. */
const LOCKED_AFTER_MS = 300

/** The wallet that is connected to this page. */
export interface Connected {
  option: WalletOption
  address: string
}

/** The change of the connected wallet: its first account, another account, or none. */
export type WalletChange = 'connected' | 'changed' | 'locked'

export type Identity = ReturnType<typeof createIdentity>

/**
 * The session of the server and the wallet of the browser, kept in step. When the wallet's account changes, the session ends, except
 * while `busy()` says that the account's payment is running.
 */
export function createIdentity(
  busy: () => boolean,
  onWalletChange: (change: WalletChange) => void,
  servedChains: () => Promise<number[]>,
) {
  const { session, epoch, refresh, adopt, signIn, signOut } = createSession()

  const endOtherSession = (address: string): void => {
    const current = session()
    if (current && !sameAddress(current.address, address) && !busy()) void signOut()
  }
  const { wallet, connect, reconnect, forget, reconnected } = createConnection(endOtherSession, onWalletChange)
  const { options, look, ownAdded } = createWalletOptions((found) => void reconnect(found), servedChains)

  return {
    session,
    epoch,
    options,
    wallet,
    /** Resolves when the session is known and the wallet of the last visit has had time to reconnect. */
    ready: Promise.all([nextTask().then(refresh), reconnected]).then(() => undefined),
    connect,
    adopt,
    /** Signs in with the connected wallet. Throws the error of the wallet or the server. */
    async signIn(servedChains: readonly number[]): Promise<void> {
      const connected = wallet()
      if (connected === null) throw new Error('no wallet')
      await signIn(connected, servedChains)
    },
    signOut,
    async disconnect(): Promise<void> {
      const last = siteStorage().getItem(LAST_WALLET)
      forget()
      await signOut()
      // Right after a load the wallet of the last visit may not be in the list yet.
      await ownAdded
      await options()
        .find(({ id }) => id === last)
        ?.remote?.disconnect()
    },
    refresh,
    /** Ends the session if the wallet changed its account while a payment was running. */
    reconcile: (): void => {
      const connected = wallet()
      if (connected !== null) endOtherSession(connected.address)
    },
    look,
  }
}

/** The connected wallet. `onAddress` is called with each address it connects with. */
function createConnection(onAddress: (address: string) => void, onChange: (change: WalletChange) => void) {
  const [wallet, setWallet] = createSignal<Connected | null>(null)
  const { promise: reconnected, resolve: stopWaiting } = Promise.withResolvers<void>()
  if (siteStorage().getItem(LAST_WALLET) === null) stopWaiting()
  else setTimeout(stopWaiting, RECONNECT_MS)

  function remember(option: WalletOption, address: string): void {
    keepSetting(LAST_WALLET, option.id)
    setWallet({ option, address })
    stopWaiting()
    onAddress(address)
  }
  const onLocked = (): void => {
    if (wallet() === null) return
    setWallet(null)
    onChange('locked')
  }
  const { listen, stop } = makeAccountListener(wallet, remember, onLocked, onChange)
  onCleanup(stop)

  return {
    wallet,
    reconnected,
    /** Connects with the accounts that `ask` returns. Returns false if the wallet shares no account. Throws what `ask` throws. */
    async connect(option: WalletOption, ask: () => Promise<unknown>): Promise<boolean> {
      listen(option)
      const address = firstAccount(await ask())
      if (address !== null) remember(option, address)
      return address !== null
    },
    /** Connects the wallet of the last visit without asking. A locked wallet stays unconnected. */
    async reconnect(found: WalletOption[]): Promise<void> {
      const option = found.find(({ id }) => id === siteStorage().getItem(LAST_WALLET))
      if (option === undefined || wallet() !== null) return
      const accounts: unknown = await option.provider.request({ method: 'eth_accounts' }).catch(() => null)
      const address = firstAccount(accounts)
      if (address === null || wallet() !== null) return
      listen(option)
      remember(option, address)
    },
    forget(): void {
      keepSetting(LAST_WALLET, null)
      stop()
      setWallet(null)
    },
  }
}

/** Listens to the account changes of one wallet at a time: the one that was chosen last. */
function makeAccountListener(
  wallet: Accessor<Connected | null>,
  remember: (option: WalletOption, address: string) => void,
  onLocked: () => void,
  onChange: (change: WalletChange) => void,
) {
  let stop = (): void => undefined
  let locking: ReturnType<typeof setTimeout> | undefined

  function listen(option: WalletOption): void {
    stop()
    const { provider } = option
    const onAccounts = (accounts: unknown): void => {
      clearTimeout(locking)
      const next = firstAccount(accounts)
      const before = wallet()
      // Wallets also send this on load, and in other letter case. Ignore the same account.
      if (next !== null && before !== null && sameAddress(next, before.address)) return
      if (next === null) {
        // The wallet is locked, or between two accounts. The session stays.
        locking = setTimeout(onLocked, LOCKED_AFTER_MS)
        return
      }
      remember(option, next)
      onChange(before === null ? 'connected' : 'changed')
    }
    provider.on?.('accountsChanged', onAccounts)
    stop = () => {
      clearTimeout(locking)
      provider.removeListener?.('accountsChanged', onAccounts)
    }
  }
  return { listen, stop: () => stop() }
}
