import { expect, test } from 'vitest'
import { makeTestApp } from '../../test/helpers/app.ts'
import { makeTestConfig } from '../../test/helpers/config.ts'
import type { Fetch } from '../../worker/lib/http.ts'
import { checkCatalogues } from './catalogues.ts'

const config = makeTestConfig()
const { app } = makeTestApp({ config, database: { run: async () => [], batch: async () => [] } })

/** The findings when the app's answers of one path are changed on the way. */
function found(path: string, change: (answer: Response) => Response | Promise<Response> = (answer) => answer) {
  const fetch: Fetch = async (url, init) => {
    const answer = await app.request(url, init, {})
    return new URL(url).pathname === path ? change(answer) : answer
  }
  return checkCatalogues({ config, fetch, now: () => new Date(), newId: () => 'x' })
}

const status = (code: number) => () => new Response('{}', { status: code })
const withHeader = (name: string, value: string) => (answer: Response) => {
  const headers = new Headers(answer.headers)
  headers.set(name, value)
  return new Response(answer.body, { status: answer.status, headers })
}
const withRequired = (edit: (required: { extensions: Record<string, unknown> }) => void) => (answer: Response) => {
  const required = JSON.parse(Buffer.from(answer.headers.get('Payment-Required') ?? '', 'base64').toString())
  edit(required)
  return withHeader('Payment-Required', Buffer.from(JSON.stringify(required)).toString('base64'))(answer)
}

test('default: this service is as catalogues want it', async () => {
  expect(await found('')).toMatchObject([{ check: 'catalogues', status: 'ok' }])
})

test.each<[string, string, (answer: Response) => Response, RegExp]>([
  ['401 to an empty call', '/api/inference', status(401), /answers 401 at \/api\/inference to a call without a body/],
  ['400 at a form of OpenAI', '/v1/chat/completions', status(400), /answers 400 at \/v1\/chat\/completions/],
  ['no challenge', '/api/inference', withHeader('Payment-Required', ''), /no readable Payment-Required/],
  [
    'a hidden header',
    '/api/inference',
    withHeader('Access-Control-Expose-Headers', 'Date'),
    /pages read payment-required/,
  ],
  ['no bazaar', '/api/inference', withRequired(({ extensions }) => delete extensions['bazaar']), /does not describe/],
  [
    'a bazaar that does not fit its schema',
    '/api/inference',
    withRequired(({ extensions }) => Object.assign(extensions['bazaar'] ?? {}, { info: { input: { type: 'ftp' } } })),
    /does not fit its schema/,
  ],
  ['no price in the document', '/openapi.json', () => Response.json({ paths: {} }), /without the price/],
  ['nothing for sale', '/.well-known/x402.json', () => Response.json({ x402Version: 2, items: [] }), /lists nothing/],
])('error: %s', async (_what, path, change, detail) => {
  const [first, ...more] = await found(path, change)
  expect(first).toMatchObject({ check: 'catalogues', status: 'fail', detail: expect.stringMatching(detail) })
  expect(more.every((finding) => finding.status === 'fail')).toBe(true)
})

test('behavior: a service that does not answer is left to the other checks', async () => {
  const fetch: Fetch = () => Promise.reject(new TypeError('refused'))
  const context = { config, fetch, now: () => new Date(), newId: () => 'x' }
  expect(await checkCatalogues(context)).toMatchObject([{ status: 'skip' }])
})
