import type { PendingPayment } from '@coinslot/client/buyer'
import { describe, expect, it } from 'vitest'
import { pendingPayers } from '../../../../shared/storage.ts'
import { keptPayment, type Label, type Place, paymentStore } from './payment-store.ts'

function memory(): Place {
  const map = new Map<string, string>()
  const storage = {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
    key: (index: number) => [...map.keys()][index] ?? null,
    get length() {
      return map.size
    },
  }
  return { storage, origin: 'https://a.example' }
}

const label: Label = {
  model: 'm',
  modelName: 'M',
  task: 't',
  amount: '0.01',
  symbol: 'USDC',
  network: 'eip155:1',
  estimatedSeconds: 10,
}
/** As an earlier version of the site wrote it: 10000 of 0xusdc on Base until 1800000600, nonce 0xaabb. */
const HEADER =
  'eyJ4NDAyVmVyc2lvbiI6MiwicGF5bG9hZCI6eyJhdXRob3JpemF0aW9uIjp7ImZyb20iOiIweGFiYyIsInRvIjoiMHgxIiwidmFsdWUiOiIxMDAwMCIsInZhbGlkQWZ0ZXIiOiIwIiwidmFsaWRCZWZvcmUiOiIxODAwMDAwNjAwIiwibm9uY2UiOiIweGFhYmIifSwic2lnbmF0dXJlIjoiMHgxMiJ9LCJhY2NlcHRlZCI6eyJuZXR3b3JrIjoiZWlwMTU1Ojg0NTMiLCJhc3NldCI6IjB4dXNkYyJ9LCJleHRlbnNpb25zIjp7fX0='
const payment: PendingPayment = {
  id: 'p1',
  origin: 'https://a.example',
  payer: '0xabc',
  header: HEADER,
  body: '{"a":1}',
  network: 'eip155:8453',
  asset: '0xusdc',
  amount: '10000',
  validBefore: 1_800_000_600,
  inferenceId: undefined,
}
const wanted = { origin: 'https://a.example', payer: '0xabc' }

/** A record as the site wrote it before the library kept its payments. */
const OLD = JSON.stringify({ payer: '0xabc', header: HEADER, body: '{"task":"t"}', label, signedAtMs: 5 })

describe('payment store', () => {
  it('default: a payment is kept per wallet, in any letter case, unchanged and with its label', async () => {
    const place = memory()
    await paymentStore(label, place).save(payment)
    expect(keptPayment('0xABC', place)).toMatchObject({ ...payment, label })
    expect(keptPayment('0xdef', place)).toBeNull()
    expect(pendingPayers(place.storage)).toEqual(['0xabc'])
    expect(await paymentStore(null, place).take({ ...wanted, id: 'p1' })).toMatchObject(payment)
    expect(await paymentStore(null, place).take({ ...wanted, id: 'p2' })).toBeNull()
    expect(await paymentStore(null, place).list(wanted)).toHaveLength(1)
  })

  it('behavior: a record of an earlier version is completed from its header', async () => {
    const place = memory()
    place.storage.setItem('coinslot.payment.0xabc', OLD)
    const store = paymentStore(null, place)
    const found = await store.take(wanted)
    expect(found).toMatchObject({
      id: '0xaabb',
      header: HEADER,
      body: '{"task":"t"}',
      network: 'eip155:8453',
      asset: '0xusdc',
      amount: '10000',
      validBefore: 1_800_000_600,
      label,
    })
    await store.remove('0xaabb')
    expect(keptPayment('0xabc', place)).toBeNull()
  })

  it('behavior: a record has every member that an earlier version reads', async () => {
    const place = memory()
    await paymentStore(label, place).save(payment)
    const record = JSON.parse(place.storage.getItem('coinslot.payment.0xabc') ?? '')
    expect(record).toMatchObject({ payer: '0xabc', header: HEADER, body: '{"a":1}', label })
    expect(record.signedAtMs).toBeGreaterThan(0)
  })

  it('behavior: a later save adds members and keeps the label', async () => {
    const place = memory()
    await paymentStore(label, place).save(payment)
    await paymentStore(null, place).save({ ...payment, inferenceId: 'i1' })
    expect(keptPayment('0xabc', place)).toMatchObject({ inferenceId: 'i1', label })
  })

  it('behavior: the end of an earlier payment does not remove a later one', async () => {
    const place = memory()
    const store = paymentStore(label, place)
    await store.save({ ...payment, id: 'p2', header: 'h2' })
    await store.remove('p1')
    expect(keptPayment('0xabc', place)?.header).toBe('h2')
    await store.remove('p2')
    expect(keptPayment('0xabc', place)).toBeNull()
  })

  it('behavior: a malformed record is ignored', () => {
    const place = memory()
    for (const nonsense of ['{', 'null', '[]', '{"payer":"0xabc"}']) {
      place.storage.setItem('coinslot.payment.0xabc', nonsense)
      expect(keptPayment('0xabc', place)).toBeNull()
    }
  })

  it('error: no_storage if the browser does not keep the payment, so it is not sent', async () => {
    const { storage, origin } = memory()
    const full = {
      ...storage,
      setItem: () => {
        throw new Error('QuotaExceededError')
      },
    }
    await expect(paymentStore(label, { storage: full, origin }).save(payment)).rejects.toMatchObject({
      why: 'no_storage',
    })
  })
})
