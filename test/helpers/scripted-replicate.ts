import type { Fetch } from '../../worker/lib/http.ts'
import { ProviderError } from '../../worker/upstreams/provider/provider.ts'
import { makeReplicate } from '../../worker/upstreams/provider/replicate.ts'

export const CONFIG = {
  baseUrl: 'https://api.provider.example/v1/',
  token: 'r8_secret',
  fileHosts: ['files.example', '*.files.example', 'api.provider.example'],
}
export interface Seen {
  url: string
  method: string
  headers: Record<string, string>
  body: unknown
}

export function make(...answers: (() => Response | Promise<Response>)[]) {
  const seen: Seen[] = []
  const waits: number[] = []
  const fetch: Fetch = async (url, init) => {
    const { method = 'GET', headers, body } = init ?? {}
    seen.push({
      url,
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: body ? JSON.parse(String(body)) : null,
    })
    const answer = answers[Math.min(seen.length, answers.length) - 1]
    if (answer === undefined) throw new Error('no answer is scripted')
    return answer()
  }
  const sleep = async (ms: number): Promise<void> => void waits.push(ms)
  return { provider: makeReplicate(CONFIG, { fetch, sleep }), seen, waits }
}
export async function errorOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.catch((caught: unknown) => caught)
  if (error instanceof ProviderError) return error
  throw new Error(`not a ProviderError: ${error}`)
}
