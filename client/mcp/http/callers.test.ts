import { describe, expect, it } from 'vitest'
import { openMcp } from '../../../test/helpers/mcp.ts'

const ID = '0b9b3c1e-52c5-4a34-9a3e-2f6d5c1f7a10'
const FILE = 'https://media.example/1.webp'
const MODELS = ['text-to-image', 'text-to-text', 'text-to-sound'].map((task) => ({
  id: `a/${task}`,
  task,
  locked: false,
  available: true,
  estimatedCostUsdc: '0.010000',
  inputSchema: { properties: { prompt: {} } },
}))
const METRICS = { paymentAmount: '10000', estimatedCostUsdc: '0.010000', paymentTxHash: '0xabc' }

/** The server before an API where every purchase has made one picture. */
function setUp() {
  const requests: Request[] = []
  const mcp = openMcp(async (request) => {
    requests.push(request)
    const { pathname } = new URL(request.url)
    if (pathname === '/mcp/models') return Response.json({ models: MODELS })
    if (pathname.endsWith('/estimate')) return Response.json({ estimatedCostUsdc: '0.010000' })
    return Response.json({ id: ID, output: { type: 'image', urls: [FILE] }, metrics: METRICS })
  })
  return { ...mcp, requests }
}

const rpc = (method: string, params: Record<string, unknown> = {}) => ({ jsonrpc: '2.0', id: 7, method, params })
const LIST = rpc('tools/list')
const HANDSHAKE = rpc('initialize', {
  protocolVersion: '2024-11-05',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const LIST_2026 = rpc('tools/list', { _meta: envelope })
const HEADERS_2026 = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' }

const JSON_TYPE = 'application/json'
const STREAM = 'text/event-stream'

describe('what a caller accepts', () => {
  /** A call with exactly this `Accept`, or without one. */
  function send(accept: string | null, body: object, more: Record<string, string> = {}): Promise<Response> {
    const headers = { 'Content-Type': JSON_TYPE, ...more, ...(accept !== null && { Accept: accept }) }
    return setUp().send({ method: 'POST', headers, body: JSON.stringify(body) })
  }

  it.each<[string | null, RegExp]>([
    ['*/*', /^application\/json/],
    [null, /^application\/json/],
    ['', /^application\/json/],
    ['text/html', /^application\/json/],
    [JSON_TYPE, /^application\/json/],
    ['Application/JSON; charset=utf-8', /^application\/json/],
    ['application/*', /^application\/json/],
    [`${STREAM};q=0, */*`, /^application\/json/],
    [`${STREAM}, */*;q=0.1`, /^application\/json/],
    [`${JSON_TYPE}, ${STREAM};q=0`, /^application\/json/],
    [STREAM, /^text\/event-stream/],
    [`${JSON_TYPE};q=0, ${STREAM}`, /^text\/event-stream/],
    ['text/*', /^text\/event-stream/],
    [`${JSON_TYPE}, ${STREAM}`, /^(application\/json|text\/event-stream)/],
  ])('error: O5 Accept %j is answered, in a form that it takes', async (accept, type) => {
    const { messageOf } = setUp()
    const answers = [
      await send(accept, LIST),
      await send(accept, HANDSHAKE),
      await send(accept, LIST_2026, HEADERS_2026),
    ]
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, expect.stringMatching(type)])
      expect((await messageOf(answer)).result).toBeDefined()
    }
    const notified = await send(accept, { jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([notified.status, await notified.text()]).toEqual([202, ''])
  })
})

describe('a page of another origin', () => {
  it.each([
    'https://claude.ai',
    'https://coinslot.example',
    'http://coinslot.example',
    'http://localhost:6274',
    'null',
  ])('error: O5 %s may call, and no cookie is read', async (Origin) => {
    const { post, requests, messageOf } = setUp()
    const call = rpc('tools/call', { name: 'list_models', arguments: {} })
    const answer = await post(call, { Origin, Cookie: '__Host-session=stolen; session=stolen' })
    expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([200, '*'])
    expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('Mcp-Session-Id')
    expect((await messageOf(answer)).result).toMatchObject({ structuredContent: { models: expect.any(Array) } })
    expect(requests.map(({ headers }) => [headers.get('Cookie'), headers.get('Origin')])).toEqual([[null, null]])
  })

  it('error: O5 a preflight allows what clients send, and nothing else', async () => {
    const answer = await setUp().send({
      method: 'OPTIONS',
      headers: {
        Origin: 'https://claude.ai',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type, MCP-Protocol-Version, sign-in-with-x, x-evil',
      },
    })
    expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([204, '*'])
    expect(answer.headers.get('Access-Control-Allow-Methods')).toBe('POST')
    expect(answer.headers.get('Access-Control-Allow-Headers')).toBe(
      'content-type, mcp-protocol-version, sign-in-with-x',
    )
  })

  it('behavior: a refusal may be read too', async () => {
    const answer = await setUp().post('{', { Origin: 'https://claude.ai' })
    expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([400, '*'])
  })
})

describe('arguments that a host leaves empty', () => {
  const EMPTY = [null, ''].flatMap((value) => [
    ['list_models', { task: value, model: value, maxUsdc: value }] as const,
    ['estimate', { task: value, model: value, maxUsdc: value }] as const,
    ['generate_image', { prompt: 'x', model: value, input: value, maxUsdc: value }] as const,
    ['write_text', { prompt: 'x', model: value, input: value, maxUsdc: value }] as const,
    ['speak', { text: 'x', model: value, input: value, maxUsdc: value }] as const,
  ])
  it.each(EMPTY)('error: O6 %s %j counts them as left out', async (name, args) => {
    const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null && value !== ''))
    const [empty, without] = [setUp(), setUp()]
    const result = await empty.call(name, args)
    expect(result).toEqual(await without.call(name, given))
    expect(result.isError).toBe(false)
    const bodies = async ({ requests }: typeof empty) => Promise.all(requests.map((one) => one.text()))
    expect(await bodies(empty)).toEqual(await bodies(without))
  })
})

describe('the version that a call names', () => {
  const BUY = { name: 'generate_image', arguments: { prompt: 'x' } }
  it.each<[string | null, string[], boolean]>([
    [null, ['text'], true],
    ['2024-11-05', ['text'], false],
    ['2025-03-26', ['text'], false],
    ['2025-06-18', ['text', 'resource_link'], true],
    ['2025-11-25', ['text', 'resource_link'], true],
    ['2026-07-28', ['text', 'resource_link'], true],
  ])('error: O6 %s is sent its own types of content only', async (version, types, hasStructured) => {
    const { call, ask } = setUp()
    const isModern = version === '2026-07-28'
    const headers = (method: string, name?: string): Record<string, string> => ({
      ...(version !== null && { 'MCP-Protocol-Version': version }),
      ...(isModern && { 'Mcp-Method': method, ...(name !== undefined && { 'Mcp-Name': name }) }),
    })
    const meta = isModern ? envelope : {}
    const result = await call(BUY.name, BUY.arguments, { meta, headers: headers('tools/call', BUY.name) })
    expect(result.content.map(({ type }) => type)).toEqual(types)
    expect(result.content[0]?.text).toBe(`Permanent link:\n${FILE}`)
    expect('urls' in result.structuredContent).toBe(hasStructured)
    const listed = await ask('tools/list', isModern ? { _meta: envelope } : {}, headers('tools/list'))
    expect(JSON.stringify(listed.result).includes('outputSchema')).toBe(hasStructured)
  })
})

it('default: every tool has an outputSchema, of an object that requires nothing', async () => {
  const { result } = await setUp().ask('tools/list', {})
  expect(result?.['tools']).toEqual(
    Array.from({ length: 7 }, () =>
      expect.objectContaining({ outputSchema: { type: 'object', properties: expect.any(Object) } }),
    ),
  )
})
