import { domainSeparator } from 'viem'
import { expect, it } from 'vitest'
import { chainIdOf, KNOWN_NETWORKS } from './networks.ts'

const separatorOf = (chainId: number, verifyingContract: `0x${string}`, name: string, version: string) =>
  domainSeparator({ domain: { name, version, chainId, verifyingContract } })

/** `DOMAIN_SEPARATOR()` of Circle's contracts, by an independent source. */
const KNOWN: [string, `0x${string}`][] = [
  ['eip155:1', '0x06c37168a7db5138defc7866392bb87a741f9b3d104deb5094588ce041cae335'],
  ['eip155:11155111', '0xb90e5057db141a932946e64d09ccb7ffc9b00bd79fec26f698d29af0c83320a6'],
  ['eip155:8453', '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f'],
  ['eip155:84532', '0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818'],
]

it.each(KNOWN)('default: the USDC of %s is named as its own contract names itself', (network, separator) => {
  const known = KNOWN_NETWORKS[network]
  if (known?.usdc === undefined) throw new Error('no such network')
  const { address, name, version } = known.usdc
  expect(separatorOf(known.chainId, address, name, version)).toBe(separator)
})

it("default: Circle's addresses, and the domain that each signs under", () => {
  const usdc = Object.entries(KNOWN_NETWORKS).map(([network, known]) => [network, known.usdc])
  expect(Object.fromEntries(usdc)).toEqual({
    'eip155:1': { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', name: 'USD Coin', version: '2' },
    'eip155:11155111': { address: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', name: 'USDC', version: '2' },
    'eip155:8453': { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', name: 'USD Coin', version: '2' },
    'eip155:84532': { address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', name: 'USDC', version: '2' },
    'eip155:31337': undefined,
  })
})

it('default: each network is listed under its own chain id', () => {
  for (const [network, { chainId }] of Object.entries(KNOWN_NETWORKS)) expect(network).toBe(`eip155:${chainId}`)
})

it('error: on Base Sepolia signatures over the token name of Base do not verify', () => {
  const usdc = KNOWN_NETWORKS['eip155:84532']?.usdc
  if (usdc === undefined) throw new Error('no such network')
  expect(separatorOf(84532, usdc.address, 'USD Coin', '2')).toBe(
    '0x2f5ab5eec6c6d261a8ad2b303ae4ef05c8509de2250e072c3a2df0ad7f9f068b',
  )
  expect(usdc.name).toBe('USDC')
})

it.each([
  ['eip155:1', 1],
  ['eip155:84532', 84532],
  ['eip155:2147483647', 2 ** 31 - 1],
  ['eip155:2147483648', 0],
  ['eip155:0', 0],
  ['eip155:01', 0],
  ['eip155:1 ', 0],
  ['solana:1', 0],
  ['', 0],
])('default: chainIdOf(%j) is %d', (network, chainId) => {
  expect(chainIdOf(network)).toBe(chainId)
})
