import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { makeTestApp } from '../../../test/helpers/app.ts'
import { makeTestDeps } from '../../../test/helpers/deps.ts'
import { makeFakeClock, makeFakeLog } from '../../../test/helpers/fakes/ports.ts'
import { forRequest } from '../../http/middleware/request-deps.ts'
import type { Fetch } from '../../lib/http.ts'
import { describeError } from '../../lib/log.ts'
import { reportingErrors } from './error-tracker.ts'
import { makeSentryTracker, readDsn } from './sentry.ts'

const DSN = 'https://abc123@errors.example/42'
const SIGNATURE = `0x${'5a'.repeat(65)}`

interface Sent {
  url: string
  headers: Headers
  lines: string[]
}

function setUp(answer: () => Promise<Response> = async () => new Response('{}')) {
  const sent: Sent[] = []
  const clock = makeFakeClock()
  const fetch: Fetch = (url, init) => {
    sent.push({ url, headers: new Headers(init?.headers), lines: String(init?.body).trimEnd().split('\n') })
    return answer()
  }
  const options = { dsn: DSN, environment: 'preview', fetch, now: clock.now, newId: () => crypto.randomUUID() }
  return { sent, clock, tracker: makeSentryTracker(options) }
}

const eventSchema = z.looseObject({ event_id: z.string(), extra: z.record(z.string(), z.unknown()) })
const eventOf = (sent: Sent | undefined) => eventSchema.parse(JSON.parse(sent?.lines[2] ?? ''))

describe('DSN', () => {
  it.each([
    ['https://key@o1.ingest.example/7', 'https://o1.ingest.example/api/7/envelope/'],
    ['http://key@127.0.0.1:8000/some/path/7', 'http://127.0.0.1:8000/some/path/api/7/envelope/'],
  ])('default: %s sends to %s', (dsn, url) => {
    expect(readDsn(dsn)).toEqual({ key: 'key', url })
  })

  it.each(['https://o1.example/7', 'https://key@o1.example/', 'https://key@o1.example/name', 'nonsense'])(
    'error: %s is not a valid DSN',
    (dsn) => {
      expect(readDsn(dsn)).toBeNull()
    },
  )
})

describe('reports', () => {
  it('default: one envelope with causes first, the oldest frame first, and the request’s id', async () => {
    const { sent, tracker } = setUp()
    const inner = new TypeError('inner')
    inner.stack = 'TypeError: inner\n    at read (worker/a.js:1:2)\n    at run (worker/b.js:3:4)'
    const outer = new Error('outer', { cause: inner })
    outer.stack = 'Error: outer'
    const fields = { code: 'internal_error', cause: describeError(outer) }
    await tracker.report({ event: 'problem', fields, context: { requestId: 'r-1' } })
    expect(sent[0]?.url).toBe('https://errors.example/api/42/envelope/')
    expect(sent[0]?.headers.get('X-Sentry-Auth')).toContain('sentry_key=abc123')
    expect(sent[0]?.lines[1]).toBe('{"type":"event"}')
    expect(eventOf(sent[0])).toMatchObject({
      environment: 'preview',
      level: 'error',
      logger: 'problem',
      tags: { requestId: 'r-1' },
      extra: { code: 'internal_error' },
      fingerprint: ['problem', 'internal_error', 'Error'],
      exception: {
        values: [
          {
            type: 'TypeError',
            value: 'inner',
            stacktrace: {
              frames: [
                { function: 'run', filename: 'worker/b.js', lineno: 3, colno: 4 },
                { function: 'read', filename: 'worker/a.js', lineno: 1, colno: 2 },
              ],
            },
          },
          { type: 'Error', value: 'outer' },
        ],
      },
    })
    expect(eventOf(sent[0]).event_id).toMatch(/^[0-9a-f]{32}$/)
  })

  it('behavior: passwords, tokens, signatures and whole addresses are scrubbed', async () => {
    const { sent, tracker } = setUp()
    const reason = `postgres://me:pass-word@db.example Bearer abcdefgh12345678 ${SIGNATURE} 0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A`
    await tracker.report({ event: 'x', fields: { reason }, context: {} })
    expect(eventOf(sent[0]).extra).toEqual({ reason: 'postgres://…@db.example Bearer … … 0x19E7…ff2A' })
  })

  it('behavior: of a thousand errors 20 a minute are sent, then the number left out', async () => {
    const { sent, clock, tracker } = setUp()
    for (let count = 0; count < 1_000; count += 1) await tracker.report({ event: 'x', fields: {}, context: {} })
    expect(sent).toHaveLength(20)
    clock.advance(60_000)
    await tracker.report({ event: 'x', fields: {}, context: {} })
    expect(sent).toHaveLength(21)
    expect(eventOf(sent.at(-1)).extra).toEqual({ dropped: 980 })
  })

  it('behavior: a report too large to send goes without its fields', async () => {
    const { sent, tracker } = setUp()
    await tracker.report({ event: 'x', fields: { reason: 'a b '.repeat(10_000) }, context: {} })
    expect(sent[0]?.lines[2]?.length).toBeLessThan(1_000)
  })
})

describe('reportingErrors', () => {
  it('behavior: a tracker that is down is a warning, not an error that reports itself', async () => {
    const { sent, tracker } = setUp(async () => new Response('', { status: 500 }))
    const log = makeFakeLog()
    const waiting: Promise<unknown>[] = []
    reportingErrors(log, tracker, {}, (promise) => void waiting.push(promise)).error('problem', { code: 'x' })
    await Promise.all(waiting)
    expect(sent).toHaveLength(1)
    expect(log.lines.map(({ level, event }) => [level, event])).toEqual([
      ['error', 'problem'],
      ['warn', 'error_tracking.failed'],
    ])
  })

  it('behavior: an unexpected error of a request is reported, a refusal is not', async () => {
    const { sent, tracker } = setUp()
    const broken = {
      run: async () => Promise.reject(new Error('broken')),
      batch: async () => Promise.reject(new Error('broken')),
    }
    const kit = makeTestApp({ database: broken, errorTracker: tracker })
    await kit.client().get('/api/account')
    expect(sent).toEqual([])
    const answer = await kit.client().get('/api/stats')
    expect(answer.status).toBe(500)
    await expect.poll(() => sent.length).toBe(1)
    expect(eventOf(sent[0])).toMatchObject({
      tags: { requestId: answer.headers.get('X-Request-Id') },
      extra: { code: 'internal_error', method: 'GET', route: '/api/stats' },
    })
    const { deps, log } = makeTestDeps()
    expect(forRequest(deps, log, () => undefined).log).toBe(log)
  })
})
