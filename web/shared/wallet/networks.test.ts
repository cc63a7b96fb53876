import { describe, expect, it } from 'vitest'
import { explorerLink } from './networks.ts'

describe('explorerLink', () => {
  it('default: a link for a known chain; null for a local or unknown chain, or an invalid hash', () => {
    const hash = `0x${'ab'.repeat(32)}`
    expect(explorerLink('eip155:1', hash)).toBe(`https://etherscan.io/tx/${hash}`)
    expect(explorerLink('eip155:31337', hash)).toBeNull()
    expect(explorerLink('eip155:777', hash)).toBeNull()
    expect(explorerLink('eip155:1', '5b2f3c1e-0000-4000-8000-000000000000')).toBeNull()
  })
})
