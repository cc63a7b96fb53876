import { beforeEach, describe, expect, it, vi } from 'vitest'
import { LoadError, loadCode } from './load-code.ts'

const script = () => new Response('export {}', { headers: { 'content-type': 'text/javascript' } })
const page = () => new Response('<p>Not found', { status: 404, headers: { 'content-type': 'text/html' } })
const lost = (): Response => {
  throw new TypeError('Failed to fetch')
}

/** Answers in order; the last one repeats. */
function serve(...answers: (() => Response)[]) {
  const fetched = vi.fn(async (_path: string) => (answers.length > 1 ? answers.shift() : answers[0])?.())
  vi.stubGlobal('fetch', fetched)
  return fetched
}

beforeEach(() => vi.useFakeTimers())

describe('loadCode', () => {
  it('default: fetches each file once, then imports', async () => {
    const fetched = serve(script)
    expect(await loadCode(async () => 'a', ['assets/a.js', 'assets/b.js'])).toBe('a')
    expect(await loadCode(async () => 'c', ['assets/b.js', 'assets/c.js'])).toBe('c')
    expect(fetched.mock.calls.map(([path]) => path)).toEqual(['/assets/a.js', '/assets/b.js', '/assets/c.js'])
  })

  it.each([
    ['the connection is lost twice', 'd', [lost, lost, script]],
    ['the file is missing for a moment', 'e', [page, script]],
  ])('error: %s: it is tried again, and the import runs once', async (_case, name, answers) => {
    serve(...answers)
    const load = vi.fn(async () => name)
    const result = loadCode(load, [`assets/${name}.js`])
    await vi.runAllTimersAsync()
    expect(await result).toBe(name)
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('error: LoadError when every try fails, and a later call loads it', async () => {
    const fetched = serve(page)
    const load = vi.fn(async () => 'f')
    const result = expect(loadCode(load, ['assets/f.js'])).rejects.toThrow(LoadError)
    await vi.runAllTimersAsync()
    await result
    expect(fetched).toHaveBeenCalledTimes(3)
    expect(load).not.toHaveBeenCalled()
    serve(script)
    expect(await loadCode(load, ['assets/f.js'])).toBe('f')
  })

  it('error: LoadError when the import itself fails', async () => {
    await expect(loadCode(() => Promise.reject(new TypeError('no module')))).rejects.toThrow(LoadError)
  })
})
