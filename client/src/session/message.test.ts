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

it('behavior: the statement is one line, whatever it was written as', () => {
  const text = signInMessage({
    origin: 'https://api.example.com',
    address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
    chainId: 8453,
    nonce: 'abcdefgh12345678',
    issuedAt: new Date('2026-01-01T00:00:00Z'),
    statement: 'Line1\nLine2',
  })
  expect(text).toBe(
    'api.example.com wants you to sign in with your Ethereum account:\n0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A\n\nLine1 Line2\n\nURI: https://api.example.com\nVersion: 1\nChain ID: 8453\nNonce: abcdefgh12345678\nIssued At: 2026-01-01T00:00:00.000Z',
  )
})
