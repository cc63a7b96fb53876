import { createContext, createSignal, type ParentProps, useContext } from 'solid-js'
import { getJson } from '../lib/api.ts'
import { pendingPayers } from '../lib/purchase/pending-payers.ts'
import { isPaying, type Purchase } from '../lib/purchase/states.ts'
import { readModels } from '../lib/records/models.ts'
import { fields, list, num } from '../lib/shape.ts'
import { createIdentity } from './create-identity.ts'
import { createValue } from './create-value.ts'
import type { PurchaseActions } from './make-purchase.ts'
import { nextTask } from './task-queue.ts'

export type App = ReturnType<typeof createApp>

/** Chains that this deployment takes payments on, its own first, as it says itself. */
function servedChains(): Promise<number[]> {
  return getJson('/.well-known/coinslot.json', (body) =>
    list(fields(body), 'networks', (network) => num(fields(network), 'chainId')),
  )
}

/** What the whole page shares. Asks for the session and the models soon, each in a task of its own. */
export function createApp() {
  const [purchase, setPurchase] = createSignal<Purchase>({ at: 'idle', notice: null })
  const [version, setVersion] = createSignal(0)
  let actions: Promise<PurchaseActions> | undefined

  const identity = createIdentity(
    () => isPaying(purchase()),
    (first) => void actions?.then((found) => found.walletChanged(first)),
  )

  /** The buying code, loaded when it is first wanted. */
  function buying(): Promise<PurchaseActions> {
    actions ??= import('./make-purchase.ts').then(({ makePurchase }) =>
      makePurchase({
        state: purchase,
        setState: setPurchase,
        identity,
        servedChains,
        onSettled: () => setVersion((count) => count + 1),
      }),
    )
    return actions
  }

  // Prices and locks are those of whoever is signed in, so they follow sign-ins and each purchase.
  const models = createValue(
    () => `${identity.epoch()} ${version()}`,
    () => nextTask().then(() => getJson('/api/models', readModels)),
  )

  if (pendingPayers().length > 0) void buying().then((found) => found.resume())

  return { identity, purchase, buying, models, version, servedChains }
}

const AppContext = createContext<App>()

export function AppProvider(props: ParentProps<{ app: App }>) {
  return <AppContext.Provider value={props.app}>{props.children}</AppContext.Provider>
}

/** Everything the page shares: identity, purchase, models. */
export function useApp(): App {
  const app = useContext(AppContext)
  if (app === undefined) throw new Error('useApp outside of AppProvider')
  return app
}
