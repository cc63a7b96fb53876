import { createContext, type ParentProps, useContext } from 'solid-js'
import type { SaleView } from './create-sale.ts'
import type { SaleWallet } from './create-wallet.ts'

interface SaleContext {
  wallet: SaleWallet
  view: SaleView
}

const Context = createContext<SaleContext>()

/** Makes the wallet and the sale known to the parts of a page. */
export function SaleProvider(props: ParentProps<SaleContext>) {
  // Both are made once.
  const { wallet, view } = props
  return <Context.Provider value={{ wallet, view }}>{props.children}</Context.Provider>
}

export function useSale(): SaleContext {
  const context = useContext(Context)
  if (context === undefined) throw new Error('outside of SaleProvider')
  return context
}
