import { describe, expect, it } from 'vitest'
import { shortHex } from './provider.ts'

describe('shortHex', () => {
  it('default: first six and last four', () => {
    expect(shortHex('0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A')).toBe('0x19E7…ff2A')
  })
})
