import { describe, expect, it } from 'vitest'
import { makeFakeClock } from '../../../test/helpers/fakes/ports.ts'
import { makeBindingRateLimiter, type RateLimitBinding } from './binding-rate-limiter.ts'
import { LIMITS, type RateLimiter, type RateLimitName, WINDOW_SECONDS } from './limits.ts'
import { makeMemoryRateLimiter } from './memory-rate-limiter.ts'

/** Counts as Cloudflare's simulator does: so many per period and key, in windows of the wall clock. */
function makeBinding(limit: number, now: () => Date): RateLimitBinding {
  const counts = new Map<string, number>()
  return {
    async limit({ key }) {
      const id = `${Math.floor(now().getTime() / 60_000)}:${key}`
      counts.set(id, (counts.get(id) ?? 0) + 1)
      return { success: (counts.get(id) ?? 0) <= limit }
    },
  }
}

const expected: [RateLimitName, number][] = [
  ['verify', 20],
  ['models', 60],
  ['estimate', 60],
  ['account', 60],
  ['unpaid', 10],
  ['claims', 120],
]

const makers: Record<string, (now: () => Date) => RateLimiter> = {
  memory: makeMemoryRateLimiter,
  binding: (now) => {
    const bindings = new Map(expected.map(([name, limit]) => [name, makeBinding(limit, now)]))
    return makeBindingRateLimiter((name) => bindings.get(name), makeMemoryRateLimiter(now))
  },
}

describe.each(Object.entries(makers))('rate limiter: %s', (_name, make) => {
  it.each(expected)('default: %s takes %d per minute and refuses the next', async (name, limit) => {
    const clock = makeFakeClock()
    const limiter = make(clock.now)
    for (let i = 0; i < limit; i += 1) expect((await limiter.take(name, 'a')).allowed).toBe(true)
    const refused = await limiter.take(name, 'a')
    expect(refused).toMatchObject({ allowed: false, limit, windowSeconds: WINDOW_SECONDS })
    expect(refused.retryAfterSeconds).toBeGreaterThanOrEqual(1)
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(WINDOW_SECONDS)
  })

  it('behavior: keys and limits do not share a count', async () => {
    const limiter = make(makeFakeClock().now)
    for (let i = 0; i < LIMITS.unpaid; i += 1) await limiter.take('unpaid', 'a')
    expect((await limiter.take('unpaid', 'a')).allowed).toBe(false)
    expect((await limiter.take('unpaid', 'b')).allowed).toBe(true)
    expect((await limiter.take('verify', 'a')).allowed).toBe(true)
  })

  it('behavior: a minute later all is forgiven', async () => {
    const clock = makeFakeClock()
    const limiter = make(clock.now)
    for (let i = 0; i <= LIMITS.unpaid; i += 1) await limiter.take('unpaid', 'a')
    clock.advance(60_000)
    expect((await limiter.take('unpaid', 'a')).allowed).toBe(true)
  })
})

it('behavior: the memory limiter says when the window ends', async () => {
  const clock = makeFakeClock()
  const limiter = makeMemoryRateLimiter(clock.now)
  for (let i = 0; i < LIMITS.unpaid; i += 1) await limiter.take('unpaid', 'a')
  clock.advance(45_500)
  expect((await limiter.take('unpaid', 'a')).retryAfterSeconds).toBe(15)
})

it('behavior: a flood of addresses does not forget those who are limited now', async () => {
  const clock = makeFakeClock()
  const limiter = makeMemoryRateLimiter(clock.now)
  for (let i = 0; i < 5_000; i += 1) await limiter.take('models', `old-${i}`)
  clock.advance(60_000)
  for (let i = 0; i <= LIMITS.unpaid; i += 1) await limiter.take('unpaid', 'a')
  for (let i = 0; i < 12_000; i += 1) await limiter.take('models', `new-${i}`)
  expect((await limiter.take('unpaid', 'a')).allowed).toBe(false)
})
