import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../../test/helpers/app.ts'
import { makeTestDeps } from '../../test/helpers/deps.ts'
import { makeFakeClock } from '../../test/helpers/fakes/ports.ts'
import { MeasuredDeps } from './measure.ts'
import { makeTimings, serverTiming } from './timings.ts'

describe('timings', () => {
  it('behavior: calls that overlap count once, calls one after the other add up', () => {
    const clock = makeFakeClock()
    const timings = makeTimings(clock.now)
    const first = timings.begin('db')
    clock.advance(10)
    const second = timings.begin('db')
    clock.advance(20)
    expect(first()).toBe(30)
    clock.advance(5)
    expect(second()).toBe(25)
    clock.advance(100)
    const third = timings.begin('db')
    clock.advance(7)
    expect(third()).toBe(7)
    expect([...timings.spent()]).toEqual([['db', 42]])
  })

  it('default: the whole time and that of each upstream, in milliseconds', () => {
    const clock = makeFakeClock()
    const timings = makeTimings(clock.now)
    for (const peer of ['store', 'db'] as const) {
      const end = timings.begin(peer)
      clock.advance(4)
      end()
    }
    timings.begin('chain')()
    expect(serverTiming(12, timings.spent())).toBe('app;dur=12, db;dur=4, store;dur=4')
  })
})

describe('measured deps', () => {
  it('behavior: results and errors come through as they are, and both are counted', async () => {
    const { deps, clock } = makeTestDeps()
    const fault = new Error('down')
    deps.provider.check = async () => {
      clock.advance(30)
      await Promise.reject(fault)
    }
    const timings = makeTimings(clock.now)
    const { provider, store } = new MeasuredDeps(deps, timings, deps)
    await expect(provider.check()).rejects.toBe(fault)
    expect(store.publicUrl('key')).toBe('https://cdn.example/key')
    expect(await store.head('nothing')).toBeNull()
    const { provider: figures, store: storeFigures } = deps.upstreams.latencies.summary()
    expect(figures).toMatchObject({ calls: 1, failures: 1 })
    // A call that took no time was answered from memory.
    expect(storeFigures.calls).toBe(0)
  })

  it('behavior: an answer shows the time of each upstream, and the log line has the same', async () => {
    const { client, clock, deps, log } = makeTestApp()
    deps.database = {
      ...deps.database,
      run: async () => {
        await Promise.resolve()
        clock.advance(40)
        return [{ ok: 1 }]
      },
    }
    const answer = await client().get('/api/health')
    expect(answer.headers.get('Server-Timing')).toMatch(/^app;dur=\d+, db;dur=40, provider;dur=40, store;dur=40$/)
    expect(log.lines.at(-1)?.fields).toMatchObject({ route: '/api/health', peers: { db: 40, provider: 40, store: 40 } })
  })
})
