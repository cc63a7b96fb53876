import { describe, expect, it } from 'vitest'
import { discoverWallets, inPlace, withInjected } from './discovery.ts'
import type { WalletOption } from './provider.ts'

const provider = () => ({ request: async () => null })

/** The part of a window that discovery uses. */
function page() {
  const target = new EventTarget()
  const announce = (info: unknown, from: unknown): boolean =>
    target.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider: from } }))
  return { target, announce }
}

describe('discoverWallets', () => {
  it('default: one entry per name, also when announced again or late', () => {
    const { target, announce } = page()
    const lists: WalletOption[][] = []
    discoverWallets((list) => lists.push(list), target)
    const own = provider()
    announce({ uuid: '1', rdns: 'io.a', name: 'A', icon: 'data:image/png;base64,' }, own)
    announce({ uuid: '2', rdns: 'io.a', name: 'A', icon: 'data:image/png;base64,' }, own)
    announce({ uuid: '3', rdns: 'io.b', name: 'B', icon: 'https://evil.example/x.png' }, provider())
    expect(lists).toHaveLength(2)
    expect(lists.at(-1)?.map(({ id, icon }) => [id, icon])).toEqual([
      ['io.a', 'data:image/png;base64,'],
      ['io.b', null],
    ])
  })

  it('behavior: a malformed announcement is ignored', () => {
    const { target, announce } = page()
    const lists: WalletOption[][] = []
    discoverWallets((list) => lists.push(list), target)
    announce({ name: 'no rdns' }, provider())
    announce({ rdns: 'io.a', name: 'no provider' }, {})
    announce(null, null)
    expect(lists).toEqual([])
  })

  it('behavior: no event has an effect after the stop', () => {
    const { target, announce } = page()
    const lists: WalletOption[][] = []
    const stop = discoverWallets((list) => lists.push(list), target)
    stop()
    announce({ rdns: 'io.a', name: 'A' }, provider())
    expect(lists).toEqual([])
  })
})

describe('withInjected', () => {
  it('behavior: window.ethereum is listed only if no wallet announced itself', () => {
    const injected = provider()
    expect(withInjected([], injected, 'Browser wallet').map(({ id }) => id)).toEqual(['injected'])
    const announced: WalletOption = { id: 'io.a', name: 'A', icon: null, provider: injected }
    expect(withInjected([announced], injected, 'Browser wallet')).toEqual([announced])
    expect(withInjected([announced], provider(), 'Browser wallet')).toEqual([announced])
    expect(withInjected([], undefined, 'Browser wallet')).toEqual([])
  })
})

describe('inPlace', () => {
  const wallet = (id: string): WalletOption => ({ id, name: id, icon: null, provider: provider() })
  const remote = { onUri: () => () => undefined, disconnect: async () => undefined }
  const [far, near, late] = [{ ...wallet('far'), remote }, wallet('near'), wallet('late')]

  it('default: wallets of this browser come first', () => {
    expect(inPlace([], [far, near])).toEqual([near, far])
  })

  it('behavior: a wallet that appears later comes after those that are shown', () => {
    expect(inPlace([near, far], [late, far, near])).toEqual([near, far, late])
  })

  it('behavior: a wallet that announces itself again keeps its place, with its new provider', () => {
    const again = wallet('near')
    const shown = inPlace([near, far], [far, again])
    expect(shown[0]).toBe(again)
    expect(shown[1]).toBe(far)
    expect(inPlace([near, far], [far])).toEqual([far])
  })
})
