import {
  createMcpHandler,
  isJsonContentType,
  ProtocolError,
  ProtocolErrorCode,
  readRequestBody,
  Server,
} from '@modelcontextprotocol/server'
import { isFields, isTooDeep, MAX_DEPTH, parseJson } from '../../src/json-fields.ts'
import { type Api, apiFor } from './api.ts'
import { FREE } from './free-tools.ts'
import { makePublicModels } from './models.ts'
import { PAID } from './paid-tools.ts'
import type { Call } from './tool.ts'

export interface McpOptions {
  /** The origins of the service. Pages of others may not call it. */
  origins: readonly string[]
  /** Called with errors that are not the caller's. */
  onError(error: unknown): void
}

export const PATH = '/mcp'
/** The API's own limit. */
const MAX_BODY_BYTES = 64 * 1024
const SERVER_INFO = { name: 'coinslot', title: 'Coinslot', version: '1.0.0' }
const INSTRUCTIONS =
  'Pay-per-use AI inference. `list_models` and `estimate` are free. `generate_image`, `write_text` and `speak` answer an unpaid call ' +
  'with the price in the form of x402; call again with the payment in `_meta["x402/payment"]`. One payment buys one result.'
const TOOLS = [...FREE, ...PAID]

/** Whether this caller may send another message; counted before anything of it is read. */
export type MayCall = () => Promise<boolean>

/** Answers what is sent to `/mcp`: MCP by streamable HTTP, without sessions. Without `mayCall` only the API's own limits apply. */
export type McpServer = (request: Request, api: Api, mayCall?: MayCall) => Promise<Response>

export function makeMcpServer({ origins, onError }: McpOptions): McpServer {
  const models = makePublicModels()
  return async (request, api, mayCall) => {
    const refused = refusalOf(request, origins)
    if (refused !== null) return withHeaders(refused)
    if (mayCall !== undefined && !(await mayCall())) return withHeaders(tooMany())
    const read = await readRequestBody(request, MAX_BODY_BYTES)
    if (read.tooLarge) return withHeaders(rpcError(413, -32_000, 'A body may hold at most 64 KiB.'))
    const message = parseJson(read.text)
    const fault = faultOf(message)
    if (fault !== null) return withHeaders(fault)
    const handler = createMcpHandler(() => serverFor({ api: apiFor(api, request), models, onError }))
    return withHeaders(await handler.fetch(request, { parsedBody: message }))
  }
}

/** The SDK's server for one request. The other one of the SDK lists schemas that some hosts refuse. */
function serverFor(call: Omit<Call, 'meta'>): Server {
  const server = new Server(SERVER_INFO, { capabilities: { tools: {} }, instructions: INSTRUCTIONS })
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS.map(({ listed }) => listed) }))
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const tool = TOOLS.find(({ listed }) => listed.name === params.name)
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.')
    return tool.run(params.arguments ?? {}, { ...call, meta: mcpReq._meta })
  })
  return server
}

/** What is refused before the body is read. */
function refusalOf(request: Request, origins: readonly string[]): Response | null {
  if (request.method !== 'POST') return rpcError(405, -32_000, 'Use POST here.', { Allow: 'POST' })
  const origin = request.headers.get('Origin')
  // A page whose host name was pointed at this address may send a request, but not with our origin.
  if (origin !== null && !origins.includes(origin))
    return rpcError(403, -32_000, 'This Origin may not call this server.')
  const isPlain = (request.headers.get('Content-Encoding') ?? 'identity').toLowerCase() === 'identity'
  if (!isPlain || !isJsonContentType(request.headers.get('Content-Type'))) {
    return rpcError(415, -32_000, 'Send uncompressed `Content-Type: application/json`.')
  }
  return null
}

const tooMany = (): Response =>
  rpcError(429, -32_000, 'Too many messages from this address. Wait a minute.', { 'Retry-After': '60' })

/** What is refused before the SDK sees the message. */
function faultOf(message: unknown): Response | null {
  if (message === undefined) return rpcError(400, ProtocolErrorCode.ParseError, 'The body must be one JSON value.')
  if (!isFields(message)) return rpcError(400, ProtocolErrorCode.InvalidRequest, 'Send one JSON-RPC message, no batch.')
  if (isTooDeep(message))
    return rpcError(400, ProtocolErrorCode.InvalidRequest, `JSON may nest ${MAX_DEPTH} levels deep.`)
  // A stream that stays open. This server has no events to send on it.
  if (message['method'] !== 'subscriptions/listen') return null
  const id = message['id']
  const isId = typeof id === 'string' || typeof id === 'number'
  return rpcError(404, ProtocolErrorCode.MethodNotFound, 'Method not found', {}, isId ? id : null)
}

const rpcError = (
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
  id: string | number | null = null,
): Response => Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status, headers })

/** Answers are data: nothing in them may run, be framed, sniffed or kept. */
const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
}

function withHeaders(response: Response): Response {
  const answer = new Response(response.body, response)
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) answer.headers.set(name, value)
  answer.headers.set('X-Request-Id', crypto.randomUUID())
  // The SDK asks to keep the connection, also of a caller that asked to close it. That is for the HTTP server to say.
  answer.headers.delete('Connection')
  return answer
}
