import { afterAll } from 'vitest'
import { type ProviderOptions, startProvider } from './server.ts'

const TOKEN = 'r8_test'
export const WEBHOOK_SECRET = `whsec_${Buffer.from('a secret of the local stack').toString('base64')}`

/** A provider for the tests of one file, and the calls they make to it. */
export async function startTestProvider(options: Partial<ProviderOptions> = {}) {
  const provider = await startProvider({ token: TOKEN, webhookSecret: WEBHOOK_SECRET, speed: 20, seed: 7, ...options })
  afterAll(() => provider.close())

  const call = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(path.startsWith('http') ? path : `${provider.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...init.headers },
    })
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    call(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers })
  const control = async (path: string, body?: unknown): Promise<unknown> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(provider.url.replace('/v1', path), init)
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }
  return { ...provider, call, post, control, script: (script: unknown) => control('/__script', script) }
}

export const PICTURE = {
  version: 'black-forest-labs/flux-schnell',
  input: { prompt: 'a red bicycle', megapixels: '0.25' },
}
export const TEXT = { version: 'meta/meta-llama-3-8b-instruct', input: { prompt: 'Write a story about a lighthouse' } }
