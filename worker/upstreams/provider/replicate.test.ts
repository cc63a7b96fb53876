import { describe, expect, it, vi } from 'vitest'
import { errorOf, make } from '../../../test/helpers/scripted-replicate.ts'

const RUN = {
  id: 'gm3qorzdhgbfurvjtvhg6dckhu',
  status: 'processing',
  output: null,
  error: null,
  logs: 'step 1\nstep 2\n',
  created_at: '2026-11-27T12:00:00.000Z',
  webhook: 'https://coinslot.example/api/webhooks/model-provider?inference=1',
  urls: { get: 'https://evil.example/steal' },
}
const REQUEST = { model: 'owner/name', input: { prompt: 'x' }, webhookUrl: RUN.webhook, waitSeconds: 0 }

const json =
  (body: unknown, status = 200, headers?: HeadersInit) =>
  (): Response =>
    Response.json(body, headers ? { status, headers } : { status })
describe('create', () => {
  it('default: starts a run with our webhook and returns the prediction', async () => {
    const { provider, seen } = make(json(RUN, 201))
    expect(await provider.create(REQUEST)).toEqual({
      id: RUN.id,
      status: 'running',
      rawStatus: 'processing',
      output: null,
      error: null,
      lastLog: 'step 2',
      predictTimeMs: null,
      tokens: null,
      webhook: RUN.webhook,
      createdAt: new Date('2026-11-27T12:00:00.000Z'),
      dataRemoved: false,
    })
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({
      url: 'https://api.provider.example/v1/predictions',
      method: 'POST',
      headers: { authorization: 'Bearer r8_secret' },
      body: {
        version: 'owner/name',
        input: { prompt: 'x' },
        webhook: RUN.webhook,
        webhook_events_filter: ['completed'],
      },
    })
  })

  it('behavior: asks to be answered at the end of the run, where it may wait for that', async () => {
    const { provider, seen } = make(json({ ...RUN, status: 'succeeded', output: ['a', ' word'] }, 201), json(RUN, 202))
    expect(await provider.create({ ...REQUEST, waitSeconds: 5 })).toMatchObject({ status: 'succeeded' })
    expect(await provider.create(REQUEST)).toMatchObject({ status: 'running' })
    expect(seen.map(({ headers }) => headers['prefer'])).toEqual(['wait=5', undefined])
  })

  it('error: unavailable when throttled, without a run: the caller sends it again', async () => {
    const { provider, seen } = make(json({ retry_after: 5 }, 429, { 'retry-after': '3' }), json(RUN, 201))
    const error = await errorOf(provider.create(REQUEST))
    expect(error).toMatchObject({ kind: 'unavailable', maybeStarted: false, retryAfterSeconds: 5 })
    expect(seen).toHaveLength(1)
  })

  it.each([400, 404, 413, 422])('error: input under %i: it will never succeed', async (status) => {
    const { provider } = make(json({ title: 'Invalid version or not permitted', status }, status))
    expect(await errorOf(provider.create(REQUEST))).toMatchObject({ kind: 'input', maybeStarted: false })
  })

  it.each([401, 402, 403, 302])('error: unavailable under %i, nothing started, not sent again', async (status) => {
    const { provider, seen } = make(json({}, status))
    expect(await errorOf(provider.create(REQUEST))).toMatchObject({ kind: 'unavailable', maybeStarted: false })
    expect(seen).toHaveLength(1)
  })

  it.each([
    ['a server error', json({}, 502)],
    ['a lost connection', () => Promise.reject(new TypeError('socket hang up'))],
    ['nonsense', () => new Response('<html>', { status: 201 })],
    ['a run without an id', json({ status: 'starting' }, 201)],
    ['an id that is a path', json({ ...RUN, id: '../../account' }, 201)],
  ])('error: unavailable and perhaps started after %s, not sent again', async (_case, answer) => {
    const { provider, seen } = make(answer)
    expect(await errorOf(provider.create(REQUEST))).toMatchObject({ kind: 'unavailable', maybeStarted: true })
    expect(seen).toHaveLength(1)
  })

  it('error: unavailable within 15 s when the provider hangs', async () => {
    vi.useFakeTimers()
    const { provider } = make(() => new Promise(() => undefined))
    const error = errorOf(provider.create(REQUEST))
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await error).toMatchObject({ kind: 'unavailable', maybeStarted: true })
  })
})

describe('get', () => {
  const get = async (change: object) => make(json({ ...RUN, ...change })).provider.get(RUN.id)

  it('behavior: a throttled read waits as long as asked and is sent again', async () => {
    const { provider, waits } = make(json({ retry_after: 5 }, 429, { 'retry-after': '3' }), json({}, 429), json(RUN))
    expect((await provider.get(RUN.id)).id).toBe(RUN.id)
    expect(waits).toEqual([5000, 1000])
  })

  it('error: unavailable when throttled for longer than 10 s', async () => {
    const { provider, seen, waits } = make(json({ detail: 'throttled' }, 429, { 'retry-after': '6' }))
    expect(await errorOf(provider.get(RUN.id))).toMatchObject({ throttledRead: true, retryAfterSeconds: 6 })
    expect([seen.length, waits]).toEqual([2, [6000]])
  })

  it('default: asked by id below the base URL, whatever urls the run names', async () => {
    const { provider, seen } = make(json(RUN))
    await provider.get(RUN.id)
    expect(seen[0]?.url).toBe(`https://api.provider.example/v1/predictions/${RUN.id}`)
  })

  it.each([
    ['starting', 'running'],
    ['processing', 'running'],
    ['some-new-word', 'running'],
    ['succeeded', 'succeeded'],
    ['failed', 'failed'],
    ['canceled', 'failed'],
    ['aborted', 'failed'],
  ])('behavior: status %s is %s', async (status, meaning) => {
    expect(await get({ status })).toMatchObject({ status: meaning, rawStatus: status })
  })

  it.each([
    [{ predict_time: 1.2341 }, 1234],
    [{ predict_time: 0.0127 }, 13],
    [{ predict_time: 0 }, 0],
    [{ predict_time: null }, null],
    [{ predict_time: 'fast' }, null],
    [{ predict_time: -1 }, null],
    [{ predict_time: 1e300 }, null],
    [{}, null],
    [null, null],
  ])('behavior: metrics %j give %s ms', async (metrics, ms) => {
    expect((await get({ metrics })).predictTimeMs).toBe(ms)
  })

  it('behavior: the provider’s words are kept short and on one line', async () => {
    expect((await get({ status: 'failed', error: `NSFW\n${'x'.repeat(300)}` })).error).toBe(`NSFW ${'x'.repeat(195)}`)
    expect((await get({ error: { code: 'E1' } })).error).toBe('{"code":"E1"}')
    expect((await get({ logs: null })).lastLog).toBeNull()
  })

  it('behavior: what is missing or removed is said as such', async () => {
    const sparse = await make(json({ id: RUN.id, status: 'succeeded', data_removed: true })).provider.get(RUN.id)
    expect(sparse).toMatchObject({ output: null, webhook: null, createdAt: null, dataRemoved: true })
  })
})

describe('list', () => {
  const SINCE = new Date('2026-11-27T11:00:00.000Z')
  const run = (id: string, at = RUN.created_at) => ({ ...RUN, id, created_at: at })
  const ids = async (provider: ReturnType<typeof make>['provider']): Promise<string[]> => {
    const found: string[] = []
    for await (const { id } of provider.list(SINCE)) found.push(id)
    return found
  }

  it('default: page after page by cursor, never to the host that "next" names', async () => {
    const { provider, seen } = make(
      json({ next: 'https://evil.example/x?cursor=abc%3D', results: [run('a'), run('b')] }),
      json({ next: null, results: [run('c')] }),
    )
    expect(await ids(provider)).toEqual(['a', 'b', 'c'])
    expect(seen.map(({ url }) => url)).toEqual([
      'https://api.provider.example/v1/predictions?created_after=2026-11-27T11%3A00%3A00.000Z',
      'https://api.provider.example/v1/predictions?created_after=2026-11-27T11%3A00%3A00.000Z&cursor=abc%3D',
    ])
  })

  it('behavior: ends at the first run that is too old, even if created_after is ignored', async () => {
    const old = run('old', '2026-11-27T10:59:59.999Z')
    const { provider, seen } = make(json({ next: '?cursor=more', results: [run('a'), old, run('b')] }))
    expect(await ids(provider)).toEqual(['a'])
    expect(seen).toHaveLength(1)
  })

  it('error: unavailable, not "none", when there are more than 200 pages', async () => {
    const { provider, seen } = make(json({ next: '?cursor=more', results: [run('a')] }))
    expect((await errorOf(ids(provider))).kind).toBe('unavailable')
    expect(seen).toHaveLength(200)
  })

  it.each([
    ['a run that cannot be read', { next: null, results: [run('a'), { id: 5 }] }],
    ['a next page without a cursor', { next: 'https://api.provider.example/v1/predictions', results: [] }],
    ['no results', {}],
  ])('error: unavailable with %s', async (_case, page) => {
    expect((await errorOf(ids(make(json(page)).provider))).kind).toBe('unavailable')
  })
})

describe('check', () => {
  it('default: an authenticated call that costs nothing', async () => {
    const { provider, seen } = make(json({ username: 'x' }))
    await provider.check()
    expect(seen[0]).toMatchObject({
      url: 'https://api.provider.example/v1/account',
      headers: { authorization: 'Bearer r8_secret' },
    })
  })

  it('error: a bad token, a throttle or a hang fails at once or after 2 s', async () => {
    expect((await errorOf(make(json({}, 401)).provider.check())).kind).toBe('unavailable')
    const throttled = make(json({}, 429))
    expect((await errorOf(throttled.provider.check())).kind).toBe('unavailable')
    expect(throttled.waits).toEqual([])
    vi.useFakeTimers()
    const error = errorOf(make(() => new Promise(() => undefined)).provider.check())
    await vi.advanceTimersByTimeAsync(2_000)
    expect((await error).kind).toBe('unavailable')
  })
})
