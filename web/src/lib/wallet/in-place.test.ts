import { expect, it } from 'vitest'
import { inPlace } from './in-place.ts'
import type { WalletOption } from './provider.ts'

const wallet = (id: string, isRemote = false) =>
  ({ id, name: id, icon: null, provider: { request: async () => null }, ...(isRemote && { remote: {} }) }) as WalletOption
const [far, near, late] = [wallet('far', true), wallet('near'), wallet('late')]

it('default: wallets of this browser come first', () => {
  expect(inPlace([], [far, near])).toEqual([near, far])
})

it('behavior: a wallet that appears later comes after those that are shown, and moves none of them', () => {
  expect(inPlace([near, far], [late, far, near])).toEqual([near, far, late])
})

it('behavior: a wallet that announces itself again keeps its place, with its new provider', () => {
  const again = wallet('near')
  const shown = inPlace([near, far], [far, again])
  expect(shown[0]).toBe(again)
  expect(shown[1]).toBe(far)
  expect(inPlace([near, far], [far])).toEqual([far])
})
