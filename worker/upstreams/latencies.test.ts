import { expect, it } from 'vitest'
import { makeLatencies } from './latencies.ts'

it('default: nothing was called yet', () => {
  expect(makeLatencies().summary().db).toEqual({ calls: 0, failures: 0, p50Ms: null, p95Ms: null })
})

it('behavior: nearest rank: of 1 to 20 ms the middle is 10 and the 95th percentile 19', () => {
  const latencies = makeLatencies()
  for (let ms = 20; ms >= 1; ms -= 1) latencies.record('chain', ms, ms !== 7)
  expect(latencies.summary().chain).toEqual({ calls: 20, failures: 1, p50Ms: 10, p95Ms: 19 })
  expect(latencies.summary().store.calls).toBe(0)
})

it('behavior: a slow hour long ago is forgotten, its calls are not', () => {
  const latencies = makeLatencies()
  for (let call = 0; call < 500; call += 1) latencies.record('db', 9_000, true)
  for (let call = 0; call < 500; call += 1) latencies.record('db', 3, true)
  expect(latencies.summary().db).toEqual({ calls: 1_000, failures: 0, p50Ms: 3, p95Ms: 3 })
})
