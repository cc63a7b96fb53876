import { createContext, createMemo, createSignal, type ParentProps, useContext } from 'solid-js'
import { getJson } from '../lib/api.ts'
import { isPaying, type Purchase, type Shown, shownAfter } from '../lib/purchase/states.ts'
import { readModels } from '../lib/records/models.ts'
import { fields, list, num } from '../lib/shape.ts'
import { buysWithoutSiteData, pendingPayers } from '../lib/storage.ts'
import { purchaseWords, serviceWords } from '../messages/load.ts'
import { createIdentity } from './create-identity.ts'
import { createValue } from './create-value.ts'
import type { PurchaseActions } from './make-purchase.ts'
import { nextTask } from './task-queue.ts'

export type App = ReturnType<typeof createApp>

/** Chains that this deployment takes payments on, its own first. */
function servedChains(): Promise<number[]> {
  return getJson('/.well-known/coinslot.json', (body) =>
    list(fields(body), 'networks', (network) => num(fields(network), 'chainId')),
  )
}

/** What the whole page shares. It requests the session and the models soon, each in a separate task. */
export function createApp() {
  const [purchase, setPurchase] = createSignal<Purchase>({ at: 'idle', notice: null })
  const [version, setVersion] = createSignal(0)
  const [payingFailed, setPayingFailed] = createSignal(false)
  let actions: Promise<PurchaseActions> | undefined

  const identity = createIdentity(
    () => isPaying(purchase()),
    (change) =>
      void actions?.then(
        (found) => found.walletChanged(change),
        () => undefined,
      ),
    servedChains,
  )

  /** Without site data no one is signed in, and the wallet alone says whose result is shown. */
  const isSignedOut = (): boolean => (buysWithoutSiteData() ? identity.wallet() : identity.session()) === null
  const shown = createMemo<Shown | null>((before) => shownAfter(before, purchase(), isSignedOut()), null)

  /** Loads the buying code once. After a failure the next call loads it again. */
  function loadActions(): Promise<PurchaseActions> {
    actions ??= Promise.all([import('./make-purchase.ts'), purchaseWords()]).then(
      ([{ makePurchase }]) => {
        const onSettled = (): void => void setVersion((count) => count + 1)
        return makePurchase({ state: purchase, setState: setPurchase, identity, servedChains, onSettled })
      },
      (error: unknown) => {
        actions = undefined
        throw error
      },
    )
    return actions
  }

  /** Calls an action of the buying code. If the code cannot be loaded, `payingFailed` becomes true. */
  async function buy(action: (actions: PurchaseActions) => void | Promise<void>): Promise<void> {
    const loaded = await loadActions().catch(() => null)
    setPayingFailed(loaded === null)
    if (loaded !== null) await action(loaded)
  }

  // Prices and locks depend on the account, so they are loaded again after each sign-in and each purchase.
  const models = createValue(
    () => `${identity.epoch()} ${version()}`,
    () => Promise.all([serviceWords(), nextTask()]).then(() => getJson('/api/models', readModels)),
  )

  if (pendingPayers().length > 0) void buy((found) => found.resume())

  /** Loads the buying code early, so that the button answers at once. */
  const preloadBuying = (): void => void loadActions().catch(() => undefined)

  return { identity, purchase, shown, buy, preloadBuying, payingFailed, models, version, servedChains }
}

const AppContext = createContext<App>()

export function AppProvider(props: ParentProps<{ app: App }>) {
  return <AppContext.Provider value={props.app}>{props.children}</AppContext.Provider>
}

/** What the whole page shares: identity, purchase, models. Throws outside of AppProvider. */
export function useApp(): App {
  const app = useContext(AppContext)
  if (app === undefined) throw new Error('useApp outside of AppProvider')
  return app
}
