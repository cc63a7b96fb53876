import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../process/service.ts'
import { readBody } from './http.ts'
import { startTestProvider, TEXT, WEBHOOK_SECRET } from './testing.ts'
import { signWebhook } from './webhooks.ts'

interface Received {
  path: string
  id: string
  timestamp: string
  signature: string
  body: string
}

const received: Received[] = []
let refuse = 0
const receiver = createServer(async (request, response) => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers
  received.push({
    path: request.url ?? '',
    id: String(id),
    timestamp: String(timestamp),
    signature: String(signature),
    body: await readBody(request),
  })
  refuse -= 1
  response.writeHead(refuse >= 0 ? 500 : 204).end()
})
const origin = await listen(receiver)
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})
const { post } = await startTestProvider()
const statuses = (path: string) =>
  received.filter((call) => call.path === path).map(({ body }) => JSON.parse(body).status)

it('default: the signature covers id, time and raw body, as in Standard Webhooks', () => {
  // Computed separately, from the format that the provider documents.
  const key = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update('msg_1.1700000000.{"a":1}').digest('base64')
  expect(signWebhook(WEBHOOK_SECRET, 'msg_1', '1700000000', '{"a":1}')).toBe(`v1,${expected}`)
})

it('behavior: a run sends its start, its output and its end, each signed', async () => {
  await post('/predictions', { ...TEXT, webhook: `${origin}/all` }, { prefer: 'wait' })
  await expect.poll(() => statuses('/all')).toEqual(expect.arrayContaining(['processing', 'succeeded']))
  for (const { id, timestamp, signature, body } of received) {
    expect(signature).toBe(signWebhook(WEBHOOK_SECRET, id, timestamp, body))
    expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(60)
  }
})

it('behavior: only requested events are sent; the terminal one is retried with the same id', async () => {
  refuse = 1
  const request = { ...TEXT, webhook: `${origin}/end`, webhook_events_filter: ['completed'] }
  await post('/predictions', request, { prefer: 'wait' })
  await expect.poll(() => statuses('/end')).toEqual(['succeeded', 'succeeded'])
  expect(new Set(received.filter(({ path }) => path === '/end').map(({ id }) => id)).size).toBe(1)
})
