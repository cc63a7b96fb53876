import { expect, test } from 'vitest'
import { amountText } from './amount.ts'

const DEV_USDC = '0x1005Dc00000000000000000000000000000005dC'
const local = { chainId: 31_337, usdc: DEV_USDC } as const
const base = { network: 'eip155:8453', asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', amount: '10000' }

test.each([
  ['USDC on Base, whatever the case of its address', base, '0.010000 USDC'],
  ['USDC of the local chain', { ...base, network: 'eip155:31337', asset: DEV_USDC }, '0.010000 USDC'],
  ['a token that we do not know', { ...base, asset: DEV_USDC }, `10000 atomic units of ${DEV_USDC}`],
])('default: %s', (_, paid, text) => {
  expect(amountText(paid, local)).toBe(text)
})
