import { expect, it } from 'vitest'
import { dollarFault } from '../../contracts/checks/known.ts'
import known from '../../contracts/launch/known.json' with { type: 'json' }
import { KNOWN_NETWORKS } from '../../protocol/networks.ts'

const networks = Object.values(KNOWN_NETWORKS).filter(({ usdc }) => usdc !== undefined)

it('default: a launch knows the same dollars as the service', () => {
  const ofService = Object.fromEntries(networks.map(({ chainId, usdc }) => [String(chainId), usdc?.address]))
  expect(known.usdc).toEqual(ofService)
})

it('default: the dollar of each network is sound, and that of each other is not', () => {
  for (const { chainId } of networks) {
    for (const other of networks) {
      const address = other.usdc?.address ?? '0x'
      const fault = dollarFault({ chainId, address, decimals: 6 })
      if (other.chainId === chainId) expect(fault).toBeNull()
      else expect(fault).toContain('is not USDC')
    }
  }
})

it('default: a local chain takes any token of 6 decimals', () => {
  const address = `0x${'5'.repeat(40)}` as const
  expect(dollarFault({ chainId: 31_337, address, decimals: 6 })).toBeNull()
  expect(dollarFault({ chainId: 31_337, address, decimals: 18 })).toContain('has 18 decimals')
})
