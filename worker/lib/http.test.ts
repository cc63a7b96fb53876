import { describe, expect, it, vi } from 'vitest'
import { call, type Fetch, HttpError, jsonOf, withDeadline } from './http.ts'

const URL = 'https://peer.example/'
const kindOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.catch((caught: unknown) => caught)
  return error instanceof HttpError ? error.kind : `not an HttpError: ${error}`
}
const stalling = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([123])) })

describe('call', () => {
  it('default: any status is an answer with its text', async () => {
    const fetch: Fetch = async () => new Response('é', { status: 503, headers: { 'retry-after': '5' } })
    const answer = await call(fetch, URL, { deadlineMs: 1000 })
    expect([answer.status, answer.text, answer.headers.get('retry-after')]).toEqual([503, 'é', '5'])
  })

  it('behavior: an empty body is an empty text', async () => {
    expect((await call(async () => new Response(null, { status: 204 }), URL, { deadlineMs: 1000 })).text).toBe('')
  })

  it('error: timeout when there is no answer, and the call is aborted', async () => {
    vi.useFakeTimers()
    let signal: AbortSignal | null | undefined
    const fetch: Fetch = (_url, init) => {
      signal = init?.signal
      return new Promise(() => undefined)
    }
    const outcome = kindOf(call(fetch, URL, { deadlineMs: 5000 }))
    await vi.advanceTimersByTimeAsync(4999)
    expect(signal?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await outcome).toBe('timeout')
    expect(signal?.aborted).toBe(true)
  })

  it('error: timeout when the head comes and the body stalls', async () => {
    vi.useFakeTimers()
    const outcome = kindOf(call(async () => new Response(stalling()), URL, { deadlineMs: 5000 }))
    await vi.advanceTimersByTimeAsync(5000)
    expect(await outcome).toBe('timeout')
  })

  it('error: too_large past the bound, without reading on', async () => {
    let chunks = 0
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        chunks += 1
        controller.enqueue(new Uint8Array(600))
      },
    })
    expect(await kindOf(call(async () => new Response(endless), URL, { deadlineMs: 1000, maxBytes: 1000 }))).toBe(
      'too_large',
    )
    expect(chunks).toBeLessThan(5)
  })

  it('error: network when the connection fails, its words kept short', async () => {
    const fetch: Fetch = async () => Promise.reject(new TypeError('x'.repeat(1000)))
    const error = await call(fetch, URL, { deadlineMs: 1000 }).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ kind: 'network', message: 'x'.repeat(200) })
  })
})

describe('withDeadline', () => {
  it('default: passes the result on and leaves no timer behind', async () => {
    vi.useFakeTimers()
    expect(await withDeadline(1000, async () => 'done')).toBe('done')
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('jsonOf', () => {
  it('behavior: nonsense is undefined, which no JSON can be', () => {
    expect([jsonOf('null'), jsonOf('<html>'), jsonOf('')]).toEqual([null, undefined, undefined])
  })
})
