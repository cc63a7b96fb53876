import { CONTRACT_NAMES } from '../../../../contracts/checks/runtimes.ts'
import type { DashboardConfig } from '../config.ts'

/** Everything that the dashboard monitors, as name and address, in the order of its tables. */
export function monitoredContracts({ addresses, usdc, staking, wrapped, splitter }: DashboardConfig) {
  return [
    ...CONTRACT_NAMES.map((name) => ({ name, address: addresses[name] })),
    { name: 'usdc' as const, address: usdc },
    ...(staking === null ? [] : [{ name: 'staking' as const, address: staking }]),
    ...(wrapped === null ? [] : [{ name: 'wrapped' as const, address: wrapped }]),
    ...(splitter === null ? [] : [{ name: 'splitter' as const, address: splitter }]),
  ]
}
export type MonitoredName = ReturnType<typeof monitoredContracts>[number]['name']

/** The name of a monitored contract; null for every other address. */
export function contractNameOf(config: DashboardConfig, address: string): MonitoredName | null {
  const isSame = (one: { address: string }): boolean => one.address.toLowerCase() === address.toLowerCase()
  return monitoredContracts(config).find(isSame)?.name ?? null
}
