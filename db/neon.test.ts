import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { DatabaseUnavailable } from './client.ts'
import { makeNeonDatabase } from './neon.ts'
import type { HttpFetch } from './neon-transport.ts'

const databaseUrl = 'postgresql://app:secret@ep-cool-1.us-east-2.aws.neon.tech/main'
const ONE = { fields: [{ name: 'one', dataTypeID: 23 }], rows: [['1']] }
const HICCUP = () => Response.json({ message: 'Control plane request failed' }, { status: 500 })

/** A fetch that returns these answers in turn and records its requests. */
function scripted(...answers: (() => Response | Promise<Response>)[]) {
  const requests: { url: string; init: RequestInit }[] = []
  const fetch: HttpFetch = async (url, init) => {
    requests.push({ url, init })
    const answer = answers.shift()
    if (answer === undefined) throw new Error('one request too many')
    return answer()
  }
  return { fetch, requests }
}

const database = (fetch: HttpFetch, deadlineMs?: number) =>
  makeNeonDatabase({ databaseUrl, fetch, ...(deadlineMs === undefined ? {} : { deadlineMs }) })
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => error,
  )

test('default: asks the endpoint of the region, and batches as READ COMMITTED', async () => {
  const { fetch, requests } = scripted(() => Response.json({ results: [ONE, ONE] }))
  expect(await database(fetch).batch([sql`select 1 as one`, sql`select 1 as one`])).toEqual([
    [{ one: 1 }],
    [{ one: 1 }],
  ])
  expect(requests[0]?.url).toBe('https://api.us-east-2.aws.neon.tech/sql')
  expect(requests[0]?.init.headers).toMatchObject({ 'Neon-Batch-Isolation-Level': 'ReadCommitted' })
})

test('behavior: two databases in one process ask each its own endpoint', async () => {
  const first = scripted(() => Response.json(ONE))
  const second = scripted(() => Response.json(ONE))
  const databases = [
    makeNeonDatabase({ databaseUrl, httpUrl: 'http://127.0.0.1:1/sql', fetch: first.fetch }),
    makeNeonDatabase({ databaseUrl, httpUrl: 'http://127.0.0.1:2/sql', fetch: second.fetch }),
  ]
  await Promise.all(databases.map((each) => each.run(sql`select 1 as one`)))
  expect(first.requests.map(({ url }) => url)).toEqual(['http://127.0.0.1:1/sql'])
  expect(second.requests.map(({ url }) => url)).toEqual(['http://127.0.0.1:2/sql'])
})

test('behavior: a read outlives two hiccups of the control plane', async () => {
  const { fetch, requests } = scripted(HICCUP, HICCUP, () => Response.json(ONE))
  expect(await database(fetch).run(sql`select 1 as one`, { readOnly: true })).toEqual([{ one: 1 }])
  expect(requests).toHaveLength(3)
})

test('behavior: a batch of reads is retried after a hiccup, and is sent as read-only', async () => {
  const { fetch, requests } = scripted(HICCUP, () => Response.json({ results: [ONE] }))
  expect(await database(fetch).batch([sql`select 1 as one`], { readOnly: true })).toEqual([[{ one: 1 }]])
  expect(requests[1]?.init.headers).toMatchObject({ 'Neon-Batch-Read-Only': 'true' })
})

test('behavior: a read outlives a connection that fails once', async () => {
  const failing = () => Promise.reject(new TypeError('fetch failed'))
  const { fetch } = scripted(failing, () => Response.json(ONE))
  expect(await database(fetch).run(sql`select 1 as one`, { readOnly: true })).toEqual([{ one: 1 }])
})

test('behavior: a write and a batch are sent once, whatever the answer', async () => {
  const { fetch, requests } = scripted(HICCUP, HICCUP)
  expect(await refusal(database(fetch).run(sql`select 1`))).toBeInstanceOf(DatabaseUnavailable)
  expect(await refusal(database(fetch).batch([sql`select 1`]))).toBeInstanceOf(DatabaseUnavailable)
  expect(requests).toHaveLength(2)
})

const reported =
  (code: string, message = 'no') =>
  (): Response =>
    Response.json({ message, code }, { status: 400 })
const PASSING = ['40001', '40P01', '25006', '25P02', '55P03', '55006', '26000', '42P05']

test.each(PASSING)('behavior: a write that was rolled back with %s is sent once more', async (code) => {
  const { fetch, requests } = scripted(reported(code), () => Response.json(ONE))
  expect(await database(fetch).run(sql`select 1 as one`)).toEqual([{ one: 1 }])
  expect(requests).toHaveLength(2)
})

test.each(PASSING)('error: DatabaseUnavailable for a batch rolled back with %s twice', async (code) => {
  const { fetch, requests } = scripted(reported(code), reported(code))
  expect(await refusal(database(fetch).batch([sql`select 1`]))).toBeInstanceOf(DatabaseUnavailable)
  expect(requests).toHaveLength(2)
})

test('behavior: a plan made stale by a migration is made again', async () => {
  const { fetch } = scripted(reported('0A000', 'cached plan must not change result type'), () => Response.json(ONE))
  expect(await database(fetch).run(sql`select 1 as one`)).toEqual([{ one: 1 }])
})

test('error: DatabaseUnavailable for 40003, which may have written, so it is not retried', async () => {
  const { fetch, requests } = scripted(reported('40003'))
  expect(await refusal(database(fetch).run(sql`select 1`))).toMatchObject({ rolledBack: false })
  expect(requests).toHaveLength(1)
})

test('behavior: a read that PostgreSQL refuses is not sent again', async () => {
  const { fetch, requests } = scripted(() =>
    Response.json({ message: 'no such table', code: '42P01' }, { status: 400 }),
  )
  const error = await refusal(database(fetch).run(sql`select 1`, { readOnly: true }))
  expect(error).toMatchObject({ name: 'SqlError', code: '42P01' })
  expect(requests).toHaveLength(1)
})

test('error: DatabaseUnavailable when the deadline passes, also for a read and inside the body', async () => {
  const hangs: HttpFetch = (_url, init) =>
    new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
  const stalls: HttpFetch = async (_url, init) =>
    new Response(
      new ReadableStream({
        start: (body) => init.signal?.addEventListener('abort', () => body.error(init.signal?.reason)),
      }),
    )
  const deaf: HttpFetch = () => new Promise(() => undefined)
  for (const fetch of [hangs, stalls, deaf]) {
    const error = await refusal(database(fetch, 20).run(sql`select 1`, { readOnly: true }))
    expect(error).toEqual(new DatabaseUnavailable('the database did not answer in time'))
  }
})

test.each([
  [
    'a proxy report without an SQLSTATE',
    () => Response.json({ message: 'Endpoint is disabled', code: null }, { status: 400 }),
  ],
  ['a refused login', () => Response.json({ message: 'bad password', code: '28P01' }, { status: 400 })],
  ['too many connections', () => Response.json({ message: 'no slots', code: '53300' }, { status: 400 })],
  ['a shutdown', () => Response.json({ message: 'terminating', code: '57P01' }, { status: 400 })],
  ['a spent quota', () => Response.json({ message: 'quota' }, { status: 402 })],
  ['a page of HTML', () => new Response('<html>', { status: 200 })],
  ['JSON of another kind', () => Response.json({ ok: true })],
])('error: DatabaseUnavailable for %s', async (_name, answer) => {
  expect(await refusal(database(scripted(answer).fetch).run(sql`select 1`))).toBeInstanceOf(DatabaseUnavailable)
})

test('error: no fault shows the statement, its parameters or the password', async () => {
  const answers = [
    HICCUP,
    () => Response.json({ message: 'broken', code: '22P02' }, { status: 400 }),
    () => new Response('x'),
  ]
  for (const answer of answers) {
    const error = await refusal(database(scripted(answer).fetch).run(sql`select ${'0xprivate'} as statement`))
    const shown = [error, error instanceof Error ? error.cause : '']
      .map((each) => `${each} ${JSON.stringify(each)}`)
      .join()
    expect(shown).not.toMatch(/Failed query|params|select|statement|0xprivate|secret|neon\.tech/)
  }
})
