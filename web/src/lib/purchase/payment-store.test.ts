import { describe, expect, it } from 'vitest'
import { dropPayment, keepPayment, keptPayment, type SignedPayment, waitingPayers } from './payment-store.ts'

function memory() {
  const map = new Map<string, string>()
  return {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
    key: (index: number) => [...map.keys()][index] ?? null,
    get length() {
      return map.size
    },
  }
}

const payment: SignedPayment = {
  payer: '0xabc',
  header: 'h1',
  body: '{"a":1}',
  label: {
    model: 'm',
    modelName: 'M',
    task: 't',
    amount: '0.01',
    symbol: 'USDC',
    network: 'eip155:1',
    estimatedSeconds: 10,
  },
  signedAtMs: 5,
}

describe('payment store', () => {
  it('default: what was kept comes back byte for byte, per wallet, whatever the letter case', () => {
    const store = memory()
    keepPayment(payment, store)
    expect(keptPayment('0xABC', store)).toEqual(payment)
    expect(keptPayment('0xdef', store)).toBeNull()
    expect(waitingPayers(store)).toEqual(['0xabc'])
  })

  it('behavior: a payment that came later is not forgotten by the end of an earlier one', () => {
    const store = memory()
    keepPayment({ ...payment, header: 'h2' }, store)
    dropPayment(payment, store)
    expect(keptPayment('0xabc', store)?.header).toBe('h2')
    dropPayment({ ...payment, header: 'h2' }, store)
    expect(keptPayment('0xabc', store)).toBeNull()
  })

  it('behavior: nonsense in the store is no payment', () => {
    const store = memory()
    for (const nonsense of ['{', 'null', '[]', '{"payer":"0xabc"}']) {
      store.setItem('coinslot.payment.0xabc', nonsense)
      expect(keptPayment('0xabc', store)).toBeNull()
    }
  })

  it('error: a browser that refuses to store is not hidden', () => {
    const full = {
      ...memory(),
      setItem: () => {
        throw new Error('QuotaExceededError')
      },
    }
    expect(() => keepPayment(payment, full)).toThrow('QuotaExceededError')
  })
})
