import { expect, it } from 'vitest'
import { playStorm } from './storm.ts'

it('behavior: 200 copies of a payment and 50 others, and a worker that dies amid them: 51 of everything', async () => {
  const report = await playStorm()
  const { transfers, predictions, records, journal, copyAnswers, distinctIds, seen } = report
  expect({ transfers, predictions }).toEqual({ transfers: 51, predictions: 51 })
  expect(records).toEqual(Array.from({ length: 51 }, () => 'succeeded'))
  expect(journal).toEqual(Array.from({ length: 51 }, () => 'done'))
  expect([copyAnswers.size, distinctIds.size]).toEqual([1, 50])
  // It was a storm: calls were lost with the worker, and every one of the 250 clients was served in the end.
  expect(seen['lost']).toBeGreaterThan(0)
  expect(seen['200']).toBe(250)
  process.stdout.write(`storm: ${report.seconds.toFixed(1)} s, ${JSON.stringify(seen)}\n`)
}, 300_000)
