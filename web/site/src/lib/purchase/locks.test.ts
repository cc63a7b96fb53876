import { beforeEach, expect, test, vi } from 'vitest'
import { ifFree, whenFree } from './locks.ts'

const PAYER = '0xAb'

beforeEach(() => {
  vi.stubGlobal('navigator', {})
})

test('behavior: without the Locks API work runs in sequence, also after a failure', async () => {
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  const paying = ifFree(PAYER, () => first.promise)
  expect(await ifFree(PAYER.toLowerCase(), async () => void order.push('at once'))).toBe(false)
  const waiting = whenFree(PAYER, async () => void order.push('after it'))
  expect(order).toEqual([])
  first.reject(new Error('broken'))
  await expect(paying).rejects.toThrow('broken')
  await waiting
  expect(order).toEqual(['after it'])
  expect(await ifFree(PAYER, async () => void order.push('free'))).toBe(true)
})
