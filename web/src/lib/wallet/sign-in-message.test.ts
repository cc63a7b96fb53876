import { describe, expect, it } from 'vitest'
import { signInMessage, utf8Hex } from './sign-in-message.ts'

describe('signInMessage', () => {
  it('behavior: A01 A08 one line of statement, EIP-55 from lower case, decimal chain', () => {
    const text = signInMessage({
      host: 'api.example.com',
      origin: 'https://api.example.com',
      address: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
      chainId: 8453,
      nonce: 'abcdefgh12345678',
      issuedAt: new Date('2026-01-01T00:00:00Z'),
      statement: 'Line1\nLine2',
    })
    expect(text).toBe(
      'api.example.com wants you to sign in with your Ethereum account:\n0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A\n\nLine1 Line2\n\nURI: https://api.example.com\nVersion: 1\nChain ID: 8453\nNonce: abcdefgh12345678\nIssued At: 2026-01-01T00:00:00.000Z',
    )
  })
})

describe('utf8Hex', () => {
  it('default: the bytes of the text', () => {
    expect(utf8Hex('aé')).toBe('0x61c3a9')
  })
})
