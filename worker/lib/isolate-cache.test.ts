import { expect, it, vi } from 'vitest'
import { makeIsolateCache } from './isolate-cache.ts'

it('default: what was worked out for one owner is not another’s', () => {
  const memory = makeIsolateCache<number>()
  const [owner, other] = [{}, {}]
  memory.set(owner, 'a', 1)
  expect([memory.get(owner, 'a'), memory.get(other, 'a'), memory.get(owner, 'b')]).toEqual([1, undefined, undefined])
})

it('behavior: it holds the latest five hundred values, and never more than a thousand', () => {
  const memory = makeIsolateCache<number>()
  const owner = {}
  const keys = Array.from({ length: 2_700 }, (_, index) => index)
  const held = (): number[] => keys.filter((key) => memory.get(owner, String(key)) !== undefined)
  let most = 0
  for (const key of keys) {
    memory.set(owner, String(key), key)
    if (key % 100 === 99) most = Math.max(most, held().length)
  }
  expect([most, held()[0], held().length]).toEqual([1_000, 2_000, 700])
})

it('behavior: a value that nothing sets again is gone after twenty minutes', () => {
  vi.useFakeTimers()
  const memory = makeIsolateCache<number>()
  const owner = {}
  const afterMinutes = (minutes: number): unknown[] => {
    vi.advanceTimersByTime(minutes * 60_000)
    memory.set(owner, 'again', 2)
    return [memory.get(owner, 'once'), memory.get(owner, 'again')]
  }
  memory.set(owner, 'once', 1)
  expect([afterMinutes(9), afterMinutes(1), afterMinutes(9), afterMinutes(1)]).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
    [undefined, 2],
  ])
})

it('behavior: it holds no key that is longer than ours are', () => {
  const memory = makeIsolateCache<number>()
  const owner = {}
  memory.set(owner, 'a'.repeat(1_024), 1)
  memory.set(owner, 'b'.repeat(1_025), 2)
  expect([memory.get(owner, 'a'.repeat(1_024)), memory.get(owner, 'b'.repeat(1_025))]).toEqual([1, undefined])
})
