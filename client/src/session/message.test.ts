import { createSiweMessage } from 'viem/siwe'
import { expect, it } from 'vitest'
import { signInMessage } from './message.ts'

it('default: the text is the one that viem writes, byte for byte', () => {
  const origin = 'https://coinslot.example:8443'
  const address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
  const parts = {
    address,
    chainId: 8453,
    nonce: 'abcdefgh12345678',
    issuedAt: new Date('2026-07-01T10:00:00.123Z'),
  } as const
  const theirs = {
    domain: 'coinslot.example:8443',
    uri: origin,
    version: '1',
    statement: 'Sign in to Coinslot.',
  } as const
  expect(signInMessage({ origin, ...parts })).toBe(createSiweMessage({ ...theirs, ...parts }))
})
