import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ifFree, whenFree } from './locks.ts'

const PAYER = '0xAb'

beforeEach(() => {
  vi.stubGlobal('navigator', {})
})
afterEach(() => vi.unstubAllGlobals())

test('behavior: without locks of the browser a page keeps its own turns apart, and fails in none for good', async () => {
  const told: string[] = []
  const first = Promise.withResolvers<void>()
  const paying = ifFree(PAYER, () => first.promise)
  expect(await ifFree(PAYER.toLowerCase(), async () => void told.push('at once'))).toBe(false)
  const waiting = whenFree(PAYER, async () => void told.push('after it'))
  expect(told).toEqual([])
  first.reject(new Error('broken'))
  await expect(paying).rejects.toThrow('broken')
  await waiting
  expect(told).toEqual(['after it'])
  expect(await ifFree(PAYER, async () => void told.push('free'))).toBe(true)
})
