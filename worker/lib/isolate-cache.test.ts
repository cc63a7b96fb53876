import { expect, it } from 'vitest'
import { makeIsolateCache } from './isolate-cache.ts'

it('default: what was worked out for one owner is not another’s', () => {
  const memory = makeIsolateCache<number>()
  const [owner, other] = [{}, {}]
  memory.set(owner, 'a', 1)
  expect([memory.get(owner, 'a'), memory.get(other, 'a'), memory.get(owner, 'b')]).toEqual([1, undefined, undefined])
})

it('behavior: it never holds more than a thousand values', () => {
  const memory = makeIsolateCache<number>()
  const owner = {}
  for (let index = 0; index <= 1_000; index += 1) memory.set(owner, String(index), index)
  expect([memory.get(owner, '0'), memory.get(owner, '1000')]).toEqual([undefined, 1_000])
})

it('behavior: it holds no key that is longer than ours are', () => {
  const memory = makeIsolateCache<number>()
  const owner = {}
  memory.set(owner, 'a'.repeat(1_024), 1)
  memory.set(owner, 'b'.repeat(1_025), 2)
  expect([memory.get(owner, 'a'.repeat(1_024)), memory.get(owner, 'b'.repeat(1_025))]).toEqual([1, undefined])
})
