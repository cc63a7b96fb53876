import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientOf2025 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportOf2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, it } from 'vitest'
import { MCP_URL, openMcp } from '../../../test/helpers/mcp.ts'

const CLIENT_INFO = { name: 'test', version: '1' }
const FILE = 'https://media.example/1.webp'
const MODELS = ['text-to-image', 'text-to-text'].map((task) => ({
  id: `a/${task}`,
  task,
  locked: false,
  available: true,
  estimatedCostUsdc: '0.010000',
  inputSchema: { properties: { prompt: {} } },
}))
const REQUIRED = { x402Version: 2, status: 402, accepts: [{ amount: '10000' }], resource: { url: MCP_URL } }
const MADE = {
  id: '0b9b3c1e-52c5-4a34-9a3e-2f6d5c1f7a10',
  output: { type: 'image', urls: [FILE] },
  metrics: { paymentAmount: '10000', estimatedCostUsdc: '0.010000', paymentTxHash: '0xabc' },
}

/** The server before an API that asks for a payment and then has made a picture, and its `fetch`. */
function setUp() {
  const { send } = openMcp(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/mcp/models') return Response.json({ models: MODELS })
    if (pathname.endsWith('/estimate')) return Response.json({ estimatedCostUsdc: '0.010000' })
    if (pathname.endsWith(MADE.id)) return Response.json({ id: MADE.id, status: 'succeeded', output: MADE.output })
    return request.headers.has('Payment-Signature') ? Response.json(MADE) : Response.json(REQUIRED, { status: 402 })
  })
  const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => send(init ?? {})
  return { fetch }
}

interface Connected {
  version: string | undefined
  listTools(): Promise<unknown>
  call(name: string, args: Record<string, unknown>, paid?: boolean): Promise<unknown>
}

const meta = (paid = false) => ({ _meta: paid ? { 'x402/payment': { x402Version: 2 } } : {} })

async function connectSdk1(): Promise<Connected> {
  const client = new ClientOf2025(CLIENT_INFO)
  const transport = new TransportOf2025(new URL(MCP_URL), setUp())
  await client.connect(transport)
  return {
    version: transport.protocolVersion,
    listTools: () => client.listTools(),
    call: (name, args, paid) => client.callTool({ name, arguments: args, ...meta(paid) }),
  }
}

const connectClient2 = (mode: 'legacy' | { pin: string }) => async (): Promise<Connected> => {
  const client = new Client(CLIENT_INFO, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(MCP_URL), setUp()))
  return {
    version: client.getNegotiatedProtocolVersion(),
    listTools: () => client.listTools(),
    call: (name, args, paid) => client.callTool({ name, arguments: args, ...meta(paid) }),
  }
}

/** The handshake of 2024-11-05, whose clients know no version header and accept JSON. */
async function connect2024(): Promise<Connected> {
  const { fetch } = setUp()
  const ask = async (method: string, params: unknown) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
    const answer = await fetch(MCP_URL, { method: 'POST', headers, body })
    return (await answer.json()).result
  }
  const { protocolVersion } = await ask('initialize', {
    protocolVersion: '2024-11-05',
    capabilities: {},
    clientInfo: CLIENT_INFO,
  })
  return {
    version: protocolVersion,
    listTools: () => ask('tools/list', {}),
    call: (name, args, paid) => ask('tools/call', { name, arguments: args, ...meta(paid) }),
  }
}

it.each<[string, string, () => Promise<Connected>, string[]]>([
  ['the SDK 1.x', '2025-11-25', connectSdk1, ['text', 'resource_link']],
  ['the client 2.4 after a handshake', '2025-11-25', connectClient2('legacy'), ['text', 'resource_link']],
  ['the client 2.4', '2026-07-28', connectClient2({ pin: '2026-07-28' }), ['text', 'resource_link']],
  ['a client of 2024-11-05', '2024-11-05', connect2024, ['text']],
])('default: O6 %s, at %s, lists, asks for the price and buys', async (_, version, connect, types) => {
  const { version: negotiated, listTools, call } = await connect()
  expect(negotiated).toBe(version)
  // The published clients keep each tool's output schema, and check every result against it.
  expect(await listTools()).toMatchObject({ tools: Array.from({ length: 7 }, () => ({ inputSchema: {} })) })
  expect(await call('list_models', { task: 'image', model: null })).toMatchObject({
    structuredContent: { models: [{ id: 'a/text-to-image' }] },
  })
  expect(await call('estimate', { maxUsdc: '' })).toMatchObject({ structuredContent: { withinMaxUsdc: true } })
  expect(await call('status', { id: MADE.id })).toMatchObject({ structuredContent: { status: 'succeeded' } })
  expect(await call('estimate', { task: 'video' })).toMatchObject({ isError: true })
  expect(await call('generate_image', { prompt: 'a boat' })).toMatchObject({
    isError: true,
    structuredContent: REQUIRED,
    _meta: { 'x402/error': REQUIRED },
  })
  expect(await call('generate_image', { prompt: 'a boat' }, true)).toMatchObject({
    content: types.map((type) => ({ type })),
    structuredContent: { urls: [FILE] },
  })
})
