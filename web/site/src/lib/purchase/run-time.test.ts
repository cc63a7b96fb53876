import { beforeAll, expect, it } from 'vitest'
import { useMessages } from '../../messages/active.ts'
import { messages } from '../../messages/en.ts'
import { purchaseMessages } from '../../messages/en-purchase.ts'
import { runTime } from './run-time.ts'

beforeAll(() => useMessages({ messages }))

it.each([
  [0.2, 0.4, '0.2 s of about 0.4 s'],
  [3, 0.4, '3 s'],
  [11, 10, '11 s'],
  [20, 10, '20 s, longer than usual'],
])('error: B11 %d s of a run that usually takes %d s is "%s"', (elapsed, typical, text) => {
  expect(runTime(purchaseMessages.stages, elapsed, typical).replaceAll('\u00a0', ' ')).toBe(text)
})
