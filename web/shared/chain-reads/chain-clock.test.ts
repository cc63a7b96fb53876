import { createRoot } from 'solid-js'
import { afterEach, expect, test, vi } from 'vitest'
import { createChainClock } from './chain-clock.ts'

const NOW = 2_000_000_000

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  ['a block of some seconds ago', -29, 0],
  ['a chain behind the device', -600, -600],
  ['a chain ahead of the device', 3_000_000, 3_000_000],
])('default: the time after %s', (_case, difference, ahead) => {
  vi.useFakeTimers({ now: NOW * 1_000 })
  createRoot((dispose) => {
    const { now, deviceNow, follow } = createChainClock()
    follow(NOW + difference)
    expect([now(), deviceNow()]).toEqual([NOW + ahead, NOW])
    vi.advanceTimersByTime(5_000)
    expect([now(), deviceNow()]).toEqual([NOW + 5 + ahead, NOW + 5])
    dispose()
  })
})
