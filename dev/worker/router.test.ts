import { expect, test } from 'vitest'
import router from './router.ts'

test('error: nobody makes himself another caller by naming an address of the edge', async () => {
  const seen: (string | null)[] = []
  const service = {
    async fetch(request: Request | string) {
      const { headers } = new Request(request)
      seen.push(headers.get('CF-Connecting-IP'))
      return new Response('{}')
    },
  }
  for (const headers of [{}, { 'CF-Connecting-IP': '203.0.113.7' }, { 'cf-connecting-ip': '::1' }]) {
    const request = new Request('http://127.0.0.1:8787/api/models', { headers })
    await router.fetch(request, { WORKER: service, HEADERS: [], DEV: null })
  }
  expect(seen).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1'])
})
