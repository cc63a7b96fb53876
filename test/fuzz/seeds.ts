import type { FuzzBuyer } from './buyer.ts'
import type { Call } from './call.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const WEBHOOK = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1800000000', 'webhook-signature': 'v1,AAAA' }
const NO_ID = '7d3e1f6a-0000-4000-8000-000000000000'

const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const IMAGE = bytesOf({ model: 'black-forest-labs/flux-schnell', prompt: 'a boat', response_format: 'b64_json' })
const MCP_CALL = bytesOf({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'estimate', arguments: { model: null, prompt: 'a boat' } },
})

/** Calls in OpenAI's forms, the largest conversations that are read among them. */
function openaiCalls(): [path: string, body: Buffer][] {
  const chat = { model: 'meta/meta-llama-3-8b-instruct', max_tokens: 40, stop: ['\n'], stream: true }
  const turns = (count: number) =>
    Array.from({ length: count }, (_, turn) => ({
      role: turn % 2 === 0 ? 'user' : 'assistant',
      content: turn % 2 === 0 ? 'a' : null,
    }))
  return [
    ['/v1/chat/completions', bytesOf({ ...chat, messages: turns(499) })],
    ['/v1/chat/completions', bytesOf({ ...chat, messages: turns(5_001) })],
    ['/v1/responses', bytesOf({ model: chat.model, input: turns(499), stream: true, store: true })],
    ['/v1/images/generations', IMAGE],
    ['/v1/audio/speech', bytesOf({ model: 'suno-ai/bark', input: 'Hello', voice: 'alloy', response_format: 'mp3' })],
  ]
}

/** Well-formed calls of every route, signed in and out. `unpayable` are payment headers that can never buy anything. */
export function seedCalls(
  buyer: FuzzBuyer,
  unpayable: readonly string[],
  purchaseId: string | null,
): [Call, ...Call[]] {
  const get = (path: string, headers = buyer.headers): Call => ({ method: 'GET', path, headers, body: null })
  const post = (path: string, body: Buffer | null, headers: Call['headers'] = {}): Call => ({
    method: 'POST',
    path,
    headers: { ...buyer.headers, ...(body !== null && JSON_TYPE), ...headers },
    body,
  })
  const id = purchaseId ?? NO_ID
  const { proofs } = buyer
  const foreign = [...proofs.foreign, proofs.reads]
  const withProof = (proof: string, headers: Call['headers'] = {}): Call => ({
    ...post('/api/inference', buyer.body),
    headers: { ...JSON_TYPE, ...headers, 'sign-in-with-x': proof },
  })
  const paid = unpayable.map((header) => post('/api/inference', buyer.body, { 'payment-signature': header }))
  return [
    get('/api/auth/nonce', {}),
    get('/api/auth/session'),
    post('/api/auth/verify', buyer.signIn),
    post('/api/auth/logout', null),
    post('/api/inference/estimate', buyer.body),
    post('/api/inference', buyer.body),
    ...paid,
    ...paid,
    post('/api/inference', buyer.body, { 'sign-in-with-x': proofs.buys }),
    withProof(proofs.buys),
    ...foreign.flatMap((proof) => [withProof(proof), withProof(proof, buyer.headers)]),
    ...unpayable.map((header) => withProof(proofs.buys, { 'payment-signature': header })),
    ...unpayable.map((header) => post('/api/inference', buyer.body, { 'payment-signature': header, cookie: '' })),
    get('/api/account', { 'sign-in-with-x': proofs.reads }),
    get(`/api/inference/${id}`, { 'sign-in-with-x': proofs.reads }),
    get(`/api/inference/${id}`),
    get(`/api/inference/${id}/receipt`),
    get('/api/inferences?limit=5'),
    get(`/api/inferences?q=${'a'.repeat(199)}b`),
    get('/api/inferences?format=csv'),
    get('/api/account'),
    get('/api/models', {}),
    get('/api/models'),
    get('/api/stats', {}),
    get('/api/health', {}),
    get('/api/openapi.json', {}),
    get('/.well-known/x402', {}),
    ...openaiCalls().flatMap(([path, body]) => [post(path, body), post(path, body, { cookie: '' })]),
    ...paid.slice(0, 1).map(({ headers }) => ({ ...post('/v1/images/generations', IMAGE), headers })),
    get('/v1/models', {}),
    post('/mcp', MCP_CALL, { accept: 'application/json, text/event-stream', cookie: '' }),
    get('/api/admin/payments?state=owed'),
    get('/api/admin/inferences'),
    get('/api/admin/metrics'),
    post('/api/webhooks/model-provider?inference=x', Buffer.from('{"id":"x","status":"succeeded"}'), WEBHOOK),
  ]
}
