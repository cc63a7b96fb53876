import { expect, test } from 'vitest'
import { makeTogether } from './timing.ts'

test('behavior: what comes at one moment is done in one go, what comes later in the next', async () => {
  const goes: number[][] = []
  const double = makeTogether(async (items: number[]) => {
    goes.push(items)
    return items.map((item) => 2 * item)
  })
  expect(await Promise.all([double(1), double(2), double(1)])).toEqual([2, 4, 2])
  expect(await double(3)).toBe(6)
  expect(goes).toEqual([[1, 2, 1], [3]])
})

test('error: a go that fails fails for all its items, and for no later one', async () => {
  let fails = true
  const read = makeTogether(async (items: number[]) => {
    if (fails) throw new Error('no answer')
    return items
  })
  const both = await Promise.allSettled([read(1), read(2)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await read(3)).toBe(3)
})
