import {
  type Accessor,
  createContext,
  createEffect,
  createMemo,
  createSignal,
  on,
  type ParentProps,
  type Setter,
  useContext,
} from 'solid-js'
import { fields, list, num } from '../../../shared/shape.ts'
import { buysWithoutSiteData, forgetAccount, pendingPayers } from '../../../shared/storage.ts'
import { nextTask } from '../../../shared/task-queue.ts'
import { getJson } from '../lib/api.ts'
import { markDraftPaid } from '../lib/draft-store.ts'
import { isPaying, type Purchase, type Shown, shownAfter, withoutOutcome } from '../lib/purchase/states.ts'
import { readModels } from '../lib/records/models.ts'
import { purchaseWords, serviceWords } from '../messages/load.ts'
import { createIdentity, type Identity } from './create-identity.ts'
import { createValue } from './create-value.ts'
import type { PurchaseActions } from './make-purchase.ts'

export type App = ReturnType<typeof createApp>

/** Chains that this deployment takes payments on, its own first. */
function servedChains(): Promise<number[]> {
  return getJson('/.well-known/coinslot.json', (body) =>
    list(fields(body), 'networks', (network) => num(fields(network), 'chainId')),
  )
}

/** The state that the whole page shares. It requests the session and the models soon, each in a separate task. */
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

  const { shown, left } = createShown(identity, purchase, setPurchase)

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

  return { identity, purchase, shown, left, buy, preloadBuying, payingFailed, models, version, servedChains }
}

/** The purchase in the panel, and how many accounts have left the open page. */
function createShown(identity: Identity, purchase: Accessor<Purchase>, setPurchase: Setter<Purchase>) {
  /** The account whose data the page shows. Without site data no one is signed in, and it is the wallet's. */
  const owner = createMemo((): string | null | undefined => {
    // A person chooses to buy without site data in the course of a purchase.
    purchase()
    const account = buysWithoutSiteData() ? identity.wallet() : identity.session()
    return account ? account.address.toLowerCase() : account
  })
  const shown = createMemo<Shown | null>((before) => shownAfter(before, purchase(), owner()), null)
  const [left, setLeft] = createSignal(0)
  createEffect(
    on(owner, (_, before) => {
      if (!before) return
      forgetAccount()
      setPurchase(withoutOutcome)
      setLeft((count) => count + 1)
    }),
  )
  createEffect(() => {
    if (purchase().at === 'paying') markDraftPaid()
  })
  return { shown, left }
}

const AppContext = createContext<App>()

export function AppProvider(props: ParentProps<{ app: App }>) {
  return <AppContext.Provider value={props.app}>{props.children}</AppContext.Provider>
}

/** The state that the whole page shares: identity, purchase, models. Throws outside of AppProvider. */
export function useApp(): App {
  const app = useContext(AppContext)
  if (app === undefined) throw new Error('useApp outside of AppProvider')
  return app
}
