import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { Fetch } from '../../lib/http.ts'
import { ChainUnavailable } from './chain.ts'
import { makeRpc, RpcRefusal } from './rpc.ts'

const result = (value: unknown): Response => Response.json({ jsonrpc: '2.0', id: 1, result: value })
const refusal = (code: number, message: string, status = 200): Response =>
  Response.json({ jsonrpc: '2.0', id: 1, error: { code, message } }, { status })

function rpcOf(...answers: (() => Response | Promise<Response>)[]) {
  let calls = 0
  const fetch: Fetch = async () => {
    const answer = answers[Math.min(calls, answers.length - 1)]
    calls += 1
    if (answer === undefined) throw new Error('no answer is scripted')
    return answer()
  }
  return { ask: () => makeRpc('https://rpc.example', fetch)('eth_chainId', [], z.string()), calls: () => calls }
}
const caught = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)

describe('makeRpc', () => {
  it('default: the result, checked', async () => {
    expect(await rpcOf(() => result('0x1')).ask()).toBe('0x1')
  })

  it.each([
    ['a lost connection', () => Promise.reject(new TypeError('socket closed'))],
    ['status 503', () => new Response('busy', { status: 503 })],
    ['an HTML page', () => new Response('<html>')],
    ['no result', () => Response.json({ jsonrpc: '2.0', id: 1 })],
  ])('behavior: %s is tried once more, no oftener', async (_case, bad) => {
    const once = rpcOf(bad, () => result('0x1'))
    expect(await once.ask()).toBe('0x1')
    const always = rpcOf(bad)
    expect(await caught(always.ask())).toBeInstanceOf(ChainUnavailable)
    expect(always.calls()).toBe(2)
  })

  it('error: what the node refuses is an error by itself and not sent again', async () => {
    const limited = rpcOf(() => refusal(-32005, 'query returned more than 10000 results', 400))
    const error = await caught(limited.ask())
    expect(error).toBeInstanceOf(RpcRefusal)
    expect(error).toBeInstanceOf(ChainUnavailable)
    expect(error).toMatchObject({ reverted: false })
    expect(limited.calls()).toBe(1)
    expect(await caught(rpcOf(() => refusal(3, 'execution reverted: no')).ask())).toMatchObject({ reverted: true })
    expect(await caught(rpcOf(() => refusal(-32000, 'execution reverted')).ask())).toMatchObject({ reverted: true })
  })

  it('error: a result of another shape is not an answer', async () => {
    expect(await caught(rpcOf(() => result(17)).ask())).toBeInstanceOf(ChainUnavailable)
  })

  it('error: a node that hangs is given up after 5 s, retry included', async () => {
    vi.useFakeTimers()
    const outcome = caught(rpcOf(() => new Promise(() => undefined)).ask())
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await outcome).toBeInstanceOf(ChainUnavailable)
  })
})
