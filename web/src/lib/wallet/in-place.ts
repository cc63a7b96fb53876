import type { WalletOption } from './provider.ts'

/**
 * The wallets as a list that is on screen shows them: those that were in it stay where they are, and new ones come after them, wallets
 * of this browser first.
 */
export function inPlace(before: readonly WalletOption[], now: readonly WalletOption[]): WalletOption[] {
  const stay = before.flatMap(({ id }) => now.find((option) => option.id === id) ?? [])
  const come = now.filter(({ id }) => !before.some((option) => option.id === id))
  return [
    ...stay,
    ...come.filter(({ remote }) => remote === undefined),
    ...come.filter(({ remote }) => remote !== undefined),
  ]
}
