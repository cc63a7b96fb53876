import { createContext, type ParentProps, useContext } from 'solid-js'
import type { Dashboard } from './create-dashboard.ts'

const Context = createContext<Dashboard>()

export function DashboardProvider(props: ParentProps<{ dashboard: Dashboard }>) {
  return <Context.Provider value={props.dashboard}>{props.children}</Context.Provider>
}

/** The figures that the pages show. Throws outside of the provider. */
export function useDashboard(): Dashboard {
  const dashboard = useContext(Context)
  if (dashboard === undefined) throw new Error('useDashboard is used outside of DashboardProvider')
  return dashboard
}
