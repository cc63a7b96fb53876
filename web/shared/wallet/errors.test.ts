import { describe, expect, it } from 'vitest'
import { walletTrouble, walletWords } from './errors.ts'

describe('walletTrouble', () => {
  it.each([
    [{ code: 4001 }],
    [{ code: -32603, message: 'User rejected the request' }],
    [{ code: 'ACTION_REJECTED' }],
    [{ code: 5000 }],
    [new Error('Request declined')],
    ['User denied'],
    [{ code: -32000, data: { cause: { code: 4001 } } }],
  ])('behavior: %o is a refusal', (error) => {
    expect(walletTrouble(error)).toBe('rejected')
  })

  it.each([
    [{ code: 4902 }],
    [{ code: -32603, data: { originalError: { code: 4902 } } }],
    [{ code: '4902' }],
    [
      {
        code: null,
        message: 'Unrecognized chain ID "0x2105". Try adding the chain using wallet_addEthereumChain first.',
      },
    ],
  ])('behavior: %o is an unknown chain', (error) => {
    expect(walletTrouble(error)).toBe('unknown_chain')
  })

  it('behavior: a request that is already open is pending', () => {
    expect(walletTrouble({ code: -32002, message: 'Request already pending' })).toBe('pending')
  })

  it('behavior: any other value is other, and nothing throws', () => {
    for (const error of [null, undefined, 5, {}, new Error('boom'), { code: -32603 }])
      expect(walletTrouble(error)).toBe('other')
  })
})

describe('walletWords', () => {
  it('default: the first message, cut to one line', () => {
    expect(walletWords({ code: 1, data: { message: 'inner' } })).toBe('inner')
    expect(walletWords(new Error('x'.repeat(500)))).toHaveLength(160)
    expect(walletWords('👨‍👩‍👧'.repeat(50))).toBe('👨‍👩‍👧'.repeat(20))
    expect(walletWords(null)).toBe('')
  })
})
