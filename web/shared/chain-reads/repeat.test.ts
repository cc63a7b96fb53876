import { createRoot } from 'solid-js'
import { beforeEach, expect, test, vi } from 'vitest'
import { repeat } from './repeat.ts'

/** The page: visible at first. */
class FakePage extends EventTarget {
  hidden = false
  show(isVisible: boolean): void {
    this.hidden = !isVisible
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

let page: FakePage
beforeEach(() => {
  vi.useFakeTimers()
  page = new FakePage()
  vi.stubGlobal('document', page)
})

/** Repeats work that takes a second; `begun` has the seconds at which each run began. */
function start() {
  const began = Date.now()
  const begun: number[] = []
  const work = (): Promise<void> => {
    begun.push((Date.now() - began) / 1_000)
    return new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  return createRoot((dispose) => ({ begun, dispose, again: repeat(work, { visibleMs: 4_000, hiddenMs: 60_000 }) }))
}
const after = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000)

test('default: runs at once, after each pause, and when the page is shown; rarely while hidden', async () => {
  const { begun, dispose } = start()
  await after(10.5)
  page.show(false)
  await after(100)
  page.show(true)
  await after(0)
  expect(begun).toEqual([0, 5, 10, 71, 110.5])
  dispose()
})

test('behavior: runs do not overlap, and all that is asked for during one is a single run', async () => {
  const { begun, dispose, again } = start()
  await after(0.5)
  const ends = [again(), again()]
  page.show(true)
  await after(2)
  expect(begun).toEqual([0, 1])
  await Promise.all(ends)
  dispose()
})
