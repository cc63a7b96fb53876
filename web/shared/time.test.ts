import { beforeAll, describe, expect, it, vi } from 'vitest'
import { useMessages } from '../site/src/messages/active.ts'
import { messages as ar } from '../site/src/messages/ar.ts'
import { messages } from '../site/src/messages/en.ts'
import { formatDate, formatDay, formatMoment, formatMonth, formatSeconds } from './time.ts'

beforeAll(() => useMessages({ messages }))

describe('formatSeconds', () => {
  it('default: one decimal below ten seconds, none above, minutes from sixty', () => {
    expect([formatSeconds(0), formatSeconds(0.03), formatSeconds(0.1)]).toEqual([
      '0\u00a0s',
      '<\u00a00.1\u00a0s',
      '0.1\u00a0s',
    ])
    expect(formatSeconds(3.24)).toBe('3.2\u00a0s')
    expect(formatSeconds(10)).toBe('10\u00a0s')
    expect(formatSeconds(59.4)).toBe('59\u00a0s')
    expect(formatSeconds(60)).toBe('1\u00a0min')
    expect(formatSeconds(125)).toBe('2\u00a0min 5\u00a0s')
  })
})

describe('formatDay', () => {
  it('default: the calendar day itself, in whatever zone the reader is', () => {
    expect(formatDay('2026-11-27')).toBe('Nov 27')
    expect(formatDate('2026-11-27')).toBe('Nov 27, 2026')
    expect(formatMonth('2026-11')).toBe('November 2026')
  })
})

describe('formatMoment', () => {
  it('behavior: text that is not a time is returned unchanged', () => {
    expect(formatMoment('<b>soon</b>')).toBe('<b>soon</b>')
  })

  it('behavior: no line ends between an hour and its half of the day', () => {
    expect(formatMoment('2026-11-27T12:00:00Z')).toMatch(/, \d+:00[\u00a0\u202f][AP]M$/)
  })

  it('behavior: the month is a word, also in Arabic', async () => {
    vi.resetModules()
    const [active, time] = await Promise.all([import('../site/src/messages/active.ts'), import('./time.ts')])
    active.useMessages({ messages: ar })
    expect(time.formatMoment('2026-11-27T12:00:00Z')).toMatch(/^2\d نوفمبر 2026، /)
  })
})
