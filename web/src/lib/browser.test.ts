import { describe, expect, it } from 'vitest'
import { safeUrl, shortHex } from './browser.ts'

describe('safeUrl', () => {
  it('behavior: only http and https are links', () => {
    expect(safeUrl('https://cdn.example/a.webp')).toBe('https://cdn.example/a.webp')
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'blob:x', 'nonsense', ''])
      expect(safeUrl(url)).toBeNull()
  })
})

describe('shortHex', () => {
  it('default: first six and last four', () => {
    expect(shortHex('0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A')).toBe('0x19E7…ff2A')
  })
})
