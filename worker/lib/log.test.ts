import { describe, expect, it, vi } from 'vitest'
import { describeError, makeConsoleLog, scrub } from './log.ts'

describe('scrub', () => {
  it.each([
    ['a URL’s credentials', 'at postgres://me:hush@db.example/x failed', 'at postgres://…@db.example/x failed'],
    ['a bearer token', '"authorization":"Bearer r8_abcdefgh"', '"authorization":"Bearer …"'],
    ['a signature', `sig ${'0x'}${'ab'.repeat(65)} bad`, 'sig … bad'],
    ['a payment header', `header ${'eyJ4NDAyVmVyc2lvbiI6Mn0'.repeat(9)}==.`, 'header ….'],
    ['a session seal', 'cookie Fe26.2**a1b2*c3d4*~2; x', 'cookie …; x'],
    ['a whole address', 'of 0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A.', 'of 0x19E7…ff2A.'],
  ])('behavior: %s does not leave by the log', (_what, text, clean) => {
    expect(scrub(text)).toBe(clean)
  })

  it('behavior: what an operator searches by stays: transaction hash, UUID, short words', () => {
    const text = `{"event":"x","tx":"0x${'ab'.repeat(32)}","id":"7d3e1f6a-0000-4000-8000-000000000000","ms":12}`
    expect(scrub(text)).toBe(text)
  })
})

it('behavior: only the first line of a database error is kept, without parameters', () => {
  const cause = new Error('Failed query: insert into inferences\nparams: a hushed prompt')
  expect(JSON.stringify(describeError(new Error('outer', { cause })))).not.toContain('hushed')
})

it('error: C4 a line of a container has its time, one of Workers has not', () => {
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  makeConsoleLog({ trigger: 'server' }, () => new Date('2026-01-02T03:04:05.678Z')).info('listening')
  makeConsoleLog({ trigger: 'fetch' }).info('request')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 'info', event: 'listening', time: '2026-01-02T03:04:05.678Z', trigger: 'server' },
    { level: 'info', event: 'request', trigger: 'fetch' },
  ])
})
