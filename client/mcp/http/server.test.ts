import { describe, expect, it } from 'vitest'
import { MCP_URL, openMcp } from '../../../test/helpers/mcp.ts'
import { makeMcpServer } from './server.ts'

const MODELS = [
  { id: 'a/image', task: 'text-to-image', field: 'prompt' },
  { id: 'a/text', task: 'text-to-text', field: 'prompt' },
  { id: 'a/sound', task: 'text-to-sound', field: 'text' },
].map(({ id, task, field }) => ({
  id,
  task,
  locked: false,
  available: true,
  estimatedCostUsdc: '0.010000',
  inputSchema: { properties: { [field]: {} } },
}))

/** The server before an API that has three models and refuses everything else. */
function setUp(
  answer: (request: Request) => Response | Promise<Response> = () =>
    Response.json({ code: 'not_found' }, { status: 404 }),
) {
  const requests: Request[] = []
  const mcp = openMcp(async (request) => {
    requests.push(request)
    return new URL(request.url).pathname === '/mcp/models' ? Response.json({ models: MODELS }) : answer(request)
  })
  return { ...mcp, requests, paths: () => requests.map(({ url }) => url.replace('https://coinslot.example', '')) }
}

const request = (method: string, params: Record<string, unknown> = {}) => ({ jsonrpc: '2.0', id: 7, method, params })
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const modern = (method: string, params: Record<string, unknown> = {}) => request(method, { ...params, _meta: envelope })
const HEADERS_2026 = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' }

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

it('error: 429 for a caller above its limit, before anything is read', async () => {
  const server = makeMcpServer({ onError: () => undefined })
  const send = (mayCall: () => Promise<boolean>) => {
    const init = { method: 'POST', body: '{', headers: { 'Content-Type': 'application/json' } }
    return server(new Request(MCP_URL, init), { fetch: async () => Response.error() }, mayCall)
  }
  const refused = await send(async () => false)
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60'])
  const read = await send(async () => true)
  expect(read.status).toBe(400)
  // Each answer has its own id.
  const ids = [refused, read].map(({ headers }) => headers.get('X-Request-Id'))
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)])
  expect(ids[0]).not.toBe(ids[1])
})

describe('a hostile HTTP request', () => {
  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'])('error: %s is 405', async (method) => {
    const answer = await setUp().send({ method })
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST'])
  })

  const ping = request('ping')
  it.each<[string, unknown, Record<string, string>, number, number]>([
    ['a form', ping, { 'Content-Type': 'text/plain' }, 415, -32_000],
    ['a compressed body', ping, { 'Content-Encoding': 'gzip' }, 415, -32_000],
    ['a body above 64 KiB', { ...ping, params: { x: 'x'.repeat(65_536) } }, {}, 413, -32_000],
    ['no body', '', {}, 400, -32_700],
    ['a body that is not JSON', '{"jsonrpc"', {}, 400, -32_700],
    ['a batch', [ping, ping], {}, 400, -32_600],
    ['an empty batch', [], {}, 400, -32_600],
    ['null', null, {}, 400, -32_600],
    ['a text', '"ping"', {}, 400, -32_600],
    ['JSON 40 levels deep', `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":${deep(40)}}}`, {}, 400, -32_600],
    ['JSON 20,000 levels deep', `{"id":7,"method":"ping","params":{"x":${deep(20_000)}}}`, {}, 400, -32_600],
    ['a version that does not exist', ping, { 'MCP-Protocol-Version': '2020-01-01' }, 400, -32_000],
    [
      '2026-07-28 without its method header',
      modern('tools/list'),
      { 'MCP-Protocol-Version': '2026-07-28' },
      400,
      -32_020,
    ],
    ['2026-07-28 with another method header', modern('ping'), HEADERS_2026, 400, -32_020],
    ['2026-07-28 without facts about the client', request('tools/list'), HEADERS_2026, 400, -32_602],
    ['a subscription', modern('subscriptions/listen'), HEADERS_2026, 404, -32_601],
  ])('error: %s', async (_, body, headers, status, code) => {
    const { post, messageOf, requests, errors } = setUp()
    const answer = await post(body, headers)
    expect([answer.status, (await messageOf(answer)).error?.code]).toEqual([status, code])
    expect([requests, errors]).toEqual([[], []])
  })

  it('behavior: a streamed body is cut off at 64 KiB', async () => {
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        sent += 1
        controller.enqueue(new Uint8Array(1024).fill(32))
      },
    })
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
    expect((await setUp().send(init)).status).toBe(413)
    expect(sent).toBeLessThan(80)
  })
})

describe('a hostile JSON-RPC message', () => {
  it.each<[string, string, Record<string, unknown>, number]>([
    ['an unknown method', 'tools/delete', {}, -32_601],
    ['a method of other servers', 'resources/list', {}, -32_601],
    ['a method named like a member of every object', '__proto__', {}, -32_601],
    ['an unknown tool', 'tools/call', { name: 'spend_all', arguments: {} }, -32_602],
    ['a tool named like a member of every object', 'tools/call', { name: 'constructor' }, -32_602],
    ['a call without a name', 'tools/call', {}, -32_602],
    ['arguments that are a list', 'tools/call', { name: 'estimate', arguments: [] }, -32_602],
  ])('error: %s', async (_, method, params, code) => {
    const { ask, requests, errors } = setUp()
    expect((await ask(method, params)).error?.code).toBe(code)
    expect([requests, errors]).toEqual([[], []])
  })

  it.each([
    ['input', { input: `{"a":${deep(20_000)}}` }, {}, /give a JSON object/],
    ['x402/payment', {}, { 'x402/payment': btoa(`{"a":${deep(8_000)}}`) }, /^invalid_payment_header/],
  ])('error: JSON that nests too deep in the text of %s is refused', async (_, args, meta, text) => {
    const { call, errors } = setUp(() => Response.json({ code: 'invalid_payment_header' }, { status: 400 }))
    const { content } = await call('write_text', { prompt: 'x', model: 'a/text', ...args }, { meta })
    expect([content[0]?.text, errors]).toEqual([expect.stringMatching(text), []])
  })

  it('behavior: a notification is 202 without a body', async () => {
    const answer = await setUp().post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([answer.status, await answer.text()]).toEqual([202, ''])
  })

  it('behavior: every answer has the security headers, and is not kept', async () => {
    const { post, send } = setUp()
    for (const answer of [await send({ method: 'GET' }), await post('{'), await post(request('tools/list'))]) {
      expect(answer.headers.get('Cache-Control')).toBe('no-store')
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
      expect(answer.headers.get('Connection')).toBeNull()
    }
  })
})

describe('hostile arguments', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['status', { id: '../admin/payments' }, 'id: give the id of a purchase'],
    ['status', { id: 'http://169.254.169.254/latest/meta-data' }, 'id: give the id of a purchase'],
    ['status', { id: `0b9b3c1e-52c5-4a34-9a3e-2f6d5c1f7a10?key=${'k'.repeat(42)}` }, 'id: give the id'],
    ['verify_receipt', { receipt: 'https://evil.example/receipt.json' }, 'receipt: give the JSON of a receipt'],
    ['write_text', { prompt: ' ' }, 'prompt: give at least one word'],
    ['write_text', { prompt: 'x', input: '[1]' }, 'input: give a JSON object'],
    ['write_text', { prompt: 'x', maxUsdc: '1e9' }, 'maxUsdc: give a decimal string of USDC'],
    ['estimate', { task: 'video' }, 'task: '],
    ['write_text', { prompt: 'x', max_usdc: '0.01' }, 'max_usdc: this tool has no such argument'],
    ['generate_image', { prompt: 'x', aspect_ratio: '16:9' }, 'aspect_ratio: this tool has no such argument'],
    ['list_models', { limit: 1 }, 'limit: this tool has no such argument'],
  ])('error: %s %j is refused without a call of the API', async (name, args, words) => {
    const { call, requests } = setUp()
    const { isError, content } = await call(name, args)
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining(words)])
    expect(requests).toEqual([])
  })

  it('behavior: status by an address of another host asks this service', async () => {
    const id = '0b9b3c1e-52c5-4a34-9a3e-2f6d5c1f7a10'
    const { call, paths } = setUp()
    await call('status', { id: `https://evil.example/api/inference/${id}?key=${'k'.repeat(43)}` })
    expect(paths()).toEqual([`/mcp/inference/${id}?key=${'k'.repeat(43)}`])
  })

  it('error: a receipt with a changed member is refused', async () => {
    const service = { receipts: { signer: `0x${'1'.repeat(40)}` } }
    const { call, paths } = setUp(() => Response.json(service))
    const { isError, content } = await call('verify_receipt', { receipt: '{"message":{}}' })
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('this is not a receipt')])
    expect(paths()).toEqual(['/.well-known/coinslot.json'])
  })
})

describe('what reaches the API', () => {
  it('behavior: of the headers only the address and the proof of the caller', async () => {
    const { call, requests } = setUp()
    const headers = {
      'CF-Connecting-IP': '203.0.113.7',
      'X-Forwarded-For': '203.0.113.7',
      'SIGN-IN-WITH-X': 'cHJvb2Y=',
      Cookie: 'session=stolen',
      Authorization: 'Bearer x',
      'X-CSRF-Token': 'x',
      'Payment-Signature': 'x',
    }
    await call('write_text', { prompt: 'x' }, { headers })
    const names = requests.map((one) => [...one.headers.keys()].sort())
    expect(names).toEqual([
      ['cf-connecting-ip', 'x-forwarded-for'],
      ['cf-connecting-ip', 'content-type', 'sign-in-with-x', 'x-forwarded-for'],
    ])
  })

  it.each([5, true, '', 'no base64 %', [], { x402Version: 1 }, '\r\nX-Evil: 1'])(
    'behavior: the payment %j is one base64 header, for the API to refuse',
    async (payment) => {
      const { call, requests } = setUp()
      await call('write_text', { prompt: 'x' }, { meta: { 'x402/payment': payment } })
      expect(requests.at(-1)?.headers.get('Payment-Signature')).toMatch(/^[A-Za-z0-9+/]+=*$/)
    },
  )

  it('behavior: the models are read once a minute for purchases', async () => {
    const { call, paths } = setUp()
    await call('write_text', { prompt: 'x' })
    await call('speak', { text: 'x' })
    expect(paths()).toEqual(['/mcp/models', '/mcp/inference', '/mcp/inference'])
  })
})

describe('an API that fails', () => {
  it.each<[string, () => Response | Promise<Response>, string, number]>([
    [
      'that throws',
      () => Promise.reject(new Error('secret of the database')),
      'internal_error: The server made an error.',
      1,
    ],
    ['with a page', () => new Response('<h1>502</h1>', { status: 502 }), 'http_502: the service answered 502', 0],
    ['with a result of another form', () => Response.json({ id: 5 }), 'internal_error: The server made an error.', 1],
    ['with a 402 without a price', () => Response.json({}, { status: 402 }), 'http_402', 0],
  ])('error: %s', async (_, answer, words, faults) => {
    const { call, errors } = setUp(answer)
    const { isError, content, structuredContent } = await call('write_text', { prompt: 'x' })
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining(words)])
    expect(JSON.stringify([content, structuredContent])).not.toContain('secret')
    expect(errors).toHaveLength(faults)
  })
})

it('default: the tools have the names and arguments of the command line’s server', async () => {
  const { result } = await setUp().ask('tools/list', {})
  expect(JSON.stringify(result)).not.toContain('anyOf')
  const tools = Array.isArray(result?.['tools']) ? result['tools'] : []
  expect(tools.map((one: { name: string }) => one.name)).toEqual([
    'list_models',
    'estimate',
    'status',
    'verify_receipt',
    'generate_image',
    'write_text',
    'speak',
  ])
})
