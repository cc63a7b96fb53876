import { expect, it } from 'vitest'
import { PICTURE, startTestProvider, TEXT } from './testing.ts'

const { call, post, control, script } = await startTestProvider()

const run = async (how: object, request: object = TEXT) => {
  await script({ runs: [how] })
  return (await post('/predictions', request, { prefer: 'wait=5' })).json()
}

it.each([
  [
    { status: 'fail', error: 'NSFW content detected.' },
    { status: 'failed', error: 'NSFW content detected.', output: null },
  ],
  [{ status: 'abort' }, { status: 'aborted', started_at: null }],
  [{ status: 'cancel' }, { status: 'canceled', started_at: expect.any(String) }],
  [{ predictTime: null }, { status: 'succeeded', metrics: { total_time: expect.any(Number) } }],
  [{ predictTime: 1.5 }, { metrics: { predict_time: 1.5 } }],
  [{ shape: 'nested', output: undefined }, { output: { result: { parts: [{ value: expect.any(String) }] } } }],
  [{ shape: 'string' }, { output: expect.stringContaining('lighthouse') }],
  [{ shape: 'none' }, { status: 'succeeded', output: null }],
  [{ output: { a: [1, null] } }, { output: { a: [1, null] } }],
])('default: a run scripted %j', async (how, expected) => {
  expect(await run(how)).toMatchObject(expected)
})

it('behavior: a run keeps an unknown status, and `Prefer: wait` returns it as 202', async () => {
  await script({ runs: [{ status: 'warming' }] })
  const response = await post('/predictions', TEXT, { prefer: 'wait=1' })
  expect(response.status).toBe(202)
  const { id, status } = await response.json()
  expect(status).toBe('warming')
  expect(await (await post(`/predictions/${id}/cancel`, {})).json()).toMatchObject({ status: 'canceled' })
})

it('behavior: a long start is `aborted`, a long run `canceled` at the deadline', async () => {
  await script({ runs: [{ startingMs: 60_000 }, { processingMs: 60_000 }] })
  const headers = { prefer: 'wait=5', 'cancel-after': '1s' }
  const answers = await Promise.all([1, 2].map(async () => (await post('/predictions', TEXT, headers)).json()))
  expect(answers.map(({ status }) => status).sort()).toEqual(['aborted', 'canceled'])
})

it.each([
  ['text', TEXT],
  ['picture', PICTURE],
])('behavior: a held %s ends once it is released', async (held, request) => {
  await script({ runs: [{ held }] })
  const { id } = await (await post('/predictions', request)).json()
  const read = async () => (await call(`/predictions/${id}`)).json()
  await expect.poll(async () => (await read()).status).toBe('processing')
  if (request === TEXT) await expect.poll(async () => (await read()).output).toHaveLength(1)
  await script({ release: held })
  await expect.poll(read).toMatchObject({ status: 'succeeded', output: expect.anything() })
})

it('behavior: a script with `match` applies to its run only', async () => {
  await script({ runs: [{ match: 'order-2', status: 'fail' }] })
  const ask = async (order: string) =>
    (await post('/predictions', { ...TEXT, webhook: `http://127.0.0.1:9/?c=${order}` }, { prefer: 'wait' })).json()
  const [first, second] = await Promise.all([ask('order-1'), ask('order-2')])
  expect([first.status, second.status]).toEqual(['succeeded', 'failed'])
})

it('behavior: 429 n times with Retry-After, then the usual answer', async () => {
  await script({ calls: [{ on: 'create', times: 2, status: 429, retryAfter: 3 }] })
  for (let index = 0; index < 2; index += 1) {
    const response = await post('/predictions', TEXT)
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3'])
    expect(await response.json()).toMatchObject({
      status: 429,
      retry_after: 3,
      detail: expect.stringContaining('throttled'),
    })
  }
  expect((await post('/predictions', TEXT)).status).toBe(201)
})

it.each([
  [{ status: 402 }, 402],
  [{ status: 401 }, 401],
  [{ status: 500, work: true }, 500],
  [{ garbage: true }, 200],
])('behavior: create answered by %j', async (how, status) => {
  await script({ calls: [{ on: 'create', match: 'answer-lost', ...how }] })
  const webhook = `http://127.0.0.1:9/?c=answer-lost-${status}`
  expect((await post('/predictions', { ...TEXT, webhook })).status).toBe(status)
  const counts = JSON.stringify(await control('/__counts'))
  // Only with `work` is there a run whose answer was lost.
  expect(counts.includes(webhook)).toBe('work' in how)
})

it('behavior: a hung or reset call never gets an answer', async () => {
  await script({
    calls: [
      { on: 'get', hang: true },
      { on: 'list', reset: true },
    ],
  })
  await expect(call('/predictions/abc', { signal: AbortSignal.timeout(150) })).rejects.toThrow(/timeout/)
  await expect(call('/predictions')).rejects.toThrow(/fetch failed/)
})

it('behavior: the list can omit `webhook`, a single run never does', async () => {
  const made = await (await post('/predictions', { ...TEXT, webhook: 'http://127.0.0.1:9/x' })).json()
  await script({ hideWebhookInList: true })
  const list = await (await call('/predictions')).json()
  expect(list.results[0]).not.toHaveProperty('webhook')
  expect(await (await call(`/predictions/${made.id}`)).json()).toHaveProperty('webhook', 'http://127.0.0.1:9/x')
})

it.each([
  ['svg', 200, 'image/svg+xml'],
  ['html', 200, 'text/html'],
  ['missing', 404, null],
  ['redirect', 302, null],
])('behavior: a file that is %s', async (file, status, type) => {
  const { output } = await run({ file }, PICTURE)
  const response = await fetch(output[0], { redirect: 'manual' })
  expect([response.status, response.headers.get('content-type')]).toEqual([status, type])
})

it('behavior: files that are huge, cut, of unknown length, wrong type or another host', async () => {
  const fetched = async (how: object) => fetch((await run(how, PICTURE)).output[0])
  expect((await (await fetched({ file: 'huge', fileBytes: 9_000_000 })).arrayBuffer()).byteLength).toBe(9_000_000)
  expect((await fetched({ file: 'no-length' })).headers.get('content-length')).toBeNull()
  await expect((await fetched({ file: 'cut' })).arrayBuffer()).rejects.toThrow()
  expect((await fetched({ contentType: 'text/plain' })).headers.get('content-type')).toBe('text/plain')
  expect((await run({ file: 'foreign' }, PICTURE)).output[0]).toBe('https://files.example.com/out')
})

it('error: a script with an unknown member is refused', async () => {
  await expect(script({ runs: [{ statos: 'fail' }] })).rejects.toThrow(/statos/)
})
