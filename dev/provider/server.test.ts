import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startProvider } from './server.ts'
import { PICTURE, startTestProvider, TEXT } from './testing.ts'

let clock = Date.parse('2026-01-02T03:04:05Z')
const { call, post, url } = await startTestProvider({ now: () => (clock += 1) })

it('default: a run created without waiting is `starting`, and succeeded later', async () => {
  const created = await post('/predictions', PICTURE)
  expect(created.status).toBe(201)
  const prediction = await created.json()
  expect(prediction).toMatchObject({
    id: expect.stringMatching(/^[a-z0-9]{26}$/),
    model: 'black-forest-labs/flux-schnell',
    version: 'hidden',
    status: 'starting',
    output: null,
    error: null,
    data_removed: false,
    started_at: null,
    metrics: {},
    urls: { get: `${url}/predictions/${prediction.id}`, cancel: `${url}/predictions/${prediction.id}/cancel` },
  })
  await expect
    .poll(async () => (await call(`/predictions/${prediction.id}`)).json())
    .toMatchObject({
      status: 'succeeded',
      output: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/files\/[0-9a-f]{32}\/out-0\.webp$/)],
      logs: expect.stringContaining('Using seed: 7'),
      metrics: { predict_time: expect.any(Number), total_time: expect.any(Number) },
    })
})

it('behavior: the three ways to name a model, and `Prefer: wait`', async () => {
  const bark = 'b76242b40d67c76ab6742e987628a2a9ac019e11d56ab96c4e91ce03b79b2787'
  const input = { prompt: 'Good morning' }
  const asked = [
    post('/models/meta/meta-llama-3-8b-instruct/predictions', { input }, { prefer: 'wait=60' }),
    post('/predictions', { version: `suno-ai/bark:${bark}`, input }, { prefer: 'wait' }),
    post('/predictions', { version: bark, input }, { prefer: 'wait=60' }),
  ]
  const answers = await Promise.all(
    (await Promise.all(asked)).map(async (response) => [response.status, await response.json()]),
  )
  expect(answers).toMatchObject([
    [201, { status: 'succeeded', model: 'meta/meta-llama-3-8b-instruct', output: expect.any(Array) }],
    [
      201,
      {
        status: 'succeeded',
        version: bark,
        output: { audio_out: expect.stringMatching(/output\.wav$/), prompt_npz: null },
      },
    ],
    [201, { status: 'succeeded', model: 'suno-ai/bark' }],
  ])
})

it.each([
  ['no token', () => fetch(`${url}/account`), 401, 'Unauthenticated'],
  ['an unknown run', () => call('/predictions/abc123'), 404, 'Not found'],
  ['an unknown official model', () => post('/models/a/b/predictions', { input: { prompt: 'x' } }), 404, 'Not found'],
  [
    'an unknown version',
    () => post('/predictions', { ...PICTURE, version: 'a'.repeat(64) }),
    422,
    'Invalid version or not permitted',
  ],
  ['a field too many', () => post('/predictions', { ...PICTURE, model: 'x' }), 422, 'Input validation failed'],
  ['no prompt', () => post('/predictions', { ...PICTURE, input: {} }), 422, 'Input validation failed'],
  [
    'a plain http webhook elsewhere',
    () => post('/predictions', { ...PICTURE, webhook: 'http://example.com/' }),
    422,
    'Input validation failed',
  ],
  ['a broken body', () => post('/predictions', '{'), 400, 'Bad request'],
] as const)('error: %s', async (_, ask, status, title) => {
  const response = await ask()
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toMatchObject({ title, status, detail: expect.stringMatching(/\S/) })
})

it('behavior: the list pages newest first, both ways, within its time bounds', async () => {
  const before = clock
  const ids: string[] = []
  for (let index = 0; index < 5; index += 1) ids.unshift((await (await post('/predictions', TEXT)).json()).id)
  await fetch(url.replace('/v1', '/__script'), { method: 'POST', body: '{"pageSize":2}' })
  const seen: string[] = []
  const since = new Date(before).toISOString()
  let page = await (await call(`/predictions?created_after=${since}`)).json()
  expect(page.previous).toBeNull()
  for (;;) {
    seen.push(...page.results.map(({ id }: { id: string }) => id))
    // A run created between two pages must not shift the rows of the next one.
    await post('/predictions', TEXT)
    if (page.next === null) break
    page = await (await call(page.next)).json()
  }
  expect(seen).toEqual(ids)
  const back = await (await call(page.previous)).json()
  expect(back.results.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2, 4))
  const none = await (await call(`/predictions?created_before=2026-01-01T00:00:00Z`)).json()
  expect(none).toEqual({ previous: null, next: null, results: [] })
})

it('behavior: after an hour input, output, logs and files are removed, and the run says so', async () => {
  const made = await (await post('/predictions', PICTURE, { prefer: 'wait' })).json()
  expect((await fetch(made.output[0])).status).toBe(200)
  clock += 3_600_001
  const lapsed = await (await call(`/predictions/${made.id}`)).json()
  expect(lapsed).toMatchObject({ status: 'succeeded', data_removed: true, output: null, input: {}, logs: '' })
  expect((await fetch(made.output[0])).status).toBe(404)
})

it('behavior: a model names its engine; account and webhook secret answer', async () => {
  const model = await (await call('/models/suno-ai/bark')).json()
  expect(model).toMatchObject({
    owner: 'suno-ai',
    name: 'bark',
    is_official: false,
    latest_version: { cog_version: expect.any(String) },
  })
  expect(model.description).toContain('Not the model of this name')
  const versions = await (await call('/models/suno-ai/bark/versions')).json()
  expect(versions.results).toEqual([model.latest_version])
  const { id, openapi_schema } = versions.results[0]
  expect(await (await call(`/models/suno-ai/bark/versions/${id}`)).json()).toEqual(versions.results[0])
  expect(openapi_schema.components.schemas.Input.required).toEqual(['prompt'])
  expect((await call(`/models/suno-ai/bark/versions/${'a'.repeat(64)}`)).status).toBe(404)
  expect((await call('/models/google/lyria-2/versions')).status).toBe(404)
  expect(await (await call('/account')).json()).toMatchObject({ type: 'user', username: 'local' })
  expect((await (await call('/webhooks/default/secret')).json()).key).toMatch(/^whsec_/)
})

it('behavior: text comes as server-sent events, and continues after the last one received', async () => {
  const { urls, id } = await (await post('/predictions', TEXT)).json()
  const whole = await (await call(urls.stream, { headers: { accept: 'text/event-stream' } })).text()
  const events = whole.trim().split('\n\n')
  expect(events[0]).toMatch(/^event: output\nid: \d+:0\ndata: /)
  expect(events.at(-1)).toMatch(/^event: done\nid: .*\ndata: \{\}$/)
  const { output } = await (await call(`/predictions/${id}`)).json()
  expect(events).toHaveLength(output.length + 1)
  const fourth = events[3]?.match(/id: (.*)/)?.[1] ?? ''
  const rest = await (await call(urls.stream, { headers: { 'last-event-id': fourth } })).text()
  expect(rest.trim().split('\n\n')).toEqual(events.slice(4))
})

it('behavior: a restarted provider continues unfinished runs, and reports lost files', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'coinslot-provider-'))
  const options = { token: 't', webhookSecret: 'whsec_aaaa', dir, speed: 20 }
  const headers = { authorization: 'Bearer t' }
  const create = async (base: string, body: object, prefer: string) =>
    (
      await fetch(`${base}/predictions`, {
        method: 'POST',
        headers: { ...headers, prefer },
        body: JSON.stringify(body),
      })
    ).json()
  const first = await startProvider(options)
  const picture = await create(first.url, PICTURE, 'wait')
  const text = await create(first.url, TEXT, 'none')
  await first.close()
  const second = await startProvider(options)
  const get = async (id: string) => (await fetch(`${second.url}/predictions/${id}`, { headers })).json()
  expect(await get(picture.id)).toMatchObject({ status: 'succeeded', output: null, data_removed: true })
  await expect.poll(() => get(text.id)).toMatchObject({ status: 'succeeded', output: expect.any(Array) })
  await second.close()
  await rm(dir, { recursive: true })
})
