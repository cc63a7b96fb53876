import { describe, expect, it } from 'vitest'
import { ownMs, parseServerTiming, stepsTable } from './server-timing.ts'

const HEADER = 'app;dur=100, db;dur=12, facilitator;dur=60, chain;dur=5, provider;dur=20'

describe('server timing', () => {
  it('default: own time is the call without facilitator, chain and provider', () => {
    expect(ownMs(parseServerTiming(HEADER))).toBe(15)
    expect(ownMs(parseServerTiming('app;dur=9, facilitator;dur=11'))).toBe(0)
    expect(ownMs(new Map([...parseServerTiming(HEADER), ['run', 30]]))).toBe(5)
  })

  it('behavior: the table has a row for each step and two columns for each way', () => {
    const timing = parseServerTiming(HEADER)
    const lines = stepsTable(new Map([['one at a time', [timing, timing]]])).split('\n')
    expect(lines.slice(0, 3)).toEqual([
      '| step | one at a time, p50 | one at a time, p95 |',
      '|---|---|---|',
      '| own time: the call without the next three | 15 ms | 15 ms |',
    ])
    expect(lines).toContain('| object store | 0 ms | 0 ms |')
  })
})
