import { afterEach, vi } from 'vitest'

// The files of a process share its globals: a `window` or a clock that one of them left behind would mislead the next.
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
