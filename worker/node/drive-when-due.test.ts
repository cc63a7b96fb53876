import { expect, test } from 'vitest'
import { makeFakeLog } from '../../test/helpers/fakes/ports.ts'
import { driveWhenDue } from './drive-when-due.ts'

/** Plays answers of the database in turn, the last one again and again, and records each drive with its time after the start, in milliseconds. */
async function play(answers: (number | null | Error)[], drives: number) {
  const startedAt = Date.now()
  const driven: number[] = []
  const stop = new AbortController()
  const log = makeFakeLog()
  await driveWhenDue(
    {
      async readNextDue() {
        const answer = answers.length > 1 ? answers.shift() : answers[0]
        if (answer instanceof Error) throw answer
        return answer === undefined || answer === null ? null : new Date(startedAt + answer)
      },
      async drive() {
        driven.push(Date.now() - startedAt)
        if (driven.length === drives) stop.abort()
      },
      now: () => new Date(),
      log,
    },
    stop.signal,
  )
  return { driven, log }
}

test('behavior: drives at the time the next payment is due, then looks again', async () => {
  const { driven } = await play([600, 600, 0], 2)
  expect(driven[0]).toBeGreaterThanOrEqual(600)
  // A timer may end a millisecond early.
  expect(driven[1]).toBeGreaterThanOrEqual(1_095)
})

test('behavior: nothing is driven while nothing is due, and an abort ends the wait', async () => {
  const stop = new AbortController()
  let drives = 0
  const watch = {
    readNextDue: async () => null,
    drive: async () => {
      drives += 1
    },
    now: () => new Date(),
    log: makeFakeLog(),
  }
  const ended = driveWhenDue(watch, stop.signal)
  stop.abort()
  await ended
  expect(drives).toBe(0)
})
