import {
  createMcpHandler,
  isLegacyRequest,
  readRequestBody,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { parseJson } from '../../src/json-fields.ts'
import { FREE } from '../free-tools.ts'
import { errorResult } from '../results.ts'
import { makeToolServer } from '../server.ts'
import { type Api, apiFor } from './api.ts'
import { corsHeaders, preflight } from './cors.ts'
import { makePublicModels } from './models.ts'
import { PAID } from './paid-tools.ts'
import { faultOf, refusalOf, tooLarge, tooMany } from './refusals.ts'
import { knownFailure } from './results.ts'
import { freeCalls, type HttpCall } from './tool.ts'

export interface McpOptions {
  /** Called with errors that are not the caller's. */
  onError(error: unknown): void
}

export const PATH = '/mcp'
/** The API's own limit. */
const MAX_BODY_BYTES = 64 * 1024
const VERSION = '1.0.0'
const INSTRUCTIONS =
  'Pay-per-use AI inference. `list_models` and `estimate` are free. `generate_image`, `write_text` and `speak` answer an unpaid call ' +
  'with the price in the form of x402; call again with the payment in `_meta["x402/payment"]`. One payment buys one result.'
const TOOLS = [...FREE, ...PAID]
/** Of an unexpected error nothing is shown. */
const INTERNAL_ERROR = errorResult('internal_error: The server made an error.')

/** True if this caller may send another message; counted before anything of it is read. */
export type MayCall = () => Promise<boolean>

/** Answers what is sent to `/mcp`: MCP by streamable HTTP, without sessions. Without `mayCall` only the API's own limits apply. */
export type McpServer = (request: Request, api: Api, mayCall?: MayCall) => Promise<Response>

export function makeMcpServer({ onError }: McpOptions): McpServer {
  const models = makePublicModels()

  function serverFor(request: Request, api: Api): Server {
    const calls = apiFor(api, request)
    const free = freeCalls(calls, models)
    return makeToolServer<HttpCall>({
      version: VERSION,
      instructions: INSTRUCTIONS,
      tools: TOOLS,
      callFor: ({ mcpReq }) => ({ free, api: calls, models, meta: mcpReq._meta }),
      failureResult(error) {
        const known = knownFailure(error)
        if (known === null) onError(error)
        return known ?? INTERNAL_ERROR
      },
    })
  }

  const answer: McpServer = async (request, api, mayCall) => {
    const refused = preflight(request) ?? refusalOf(request)
    if (refused !== null) return refused
    if (mayCall !== undefined && !(await mayCall())) return tooMany()
    const read = await readRequestBody(request, MAX_BODY_BYTES)
    if (read.tooLarge) return tooLarge()
    const message = parseJson(read.text)
    return faultOf(message) ?? answerMessage(request, message, () => serverFor(request, api))
  }
  return async (request, api, mayCall) => withHeaders(await answer(request, api, mayCall), request)
}

/** The answer in the form that the caller accepts. The SDK refuses callers that do not accept both. */
async function answerMessage(request: Request, parsedBody: unknown, makeServer: () => Server): Promise<Response> {
  const form = formFor(request.headers.get('Accept'))
  const headers = new Headers(request.headers)
  headers.set('Accept', 'application/json, text/event-stream')
  const taken = new Request(request.url, { method: 'POST', headers, signal: request.signal })
  if (form === 'json' && (await isLegacyRequest(taken, parsedBody))) {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    const server = makeServer()
    await server.connect(transport)
    const answer = await transport.handleRequest(taken, { parsedBody })
    await server.close()
    return answer
  }
  // `auto` is JSON here, since no tool sends anything before its result.
  const responseMode = form === 'stream' ? 'sse' : 'auto'
  return createMcpHandler(makeServer, { responseMode }).fetch(taken, { parsedBody })
}

/** Answers are data: nothing in them may run, be framed, sniffed or kept. */
const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
}

function withHeaders(response: Response, request: Request): Response {
  const answer = new Response(response.body, response)
  for (const [name, value] of Object.entries({ ...SECURITY_HEADERS, ...corsHeaders(request) }))
    answer.headers.set(name, value)
  answer.headers.set('X-Request-Id', crypto.randomUUID())
  // The SDK asks to keep the connection, also of a caller that asked to close it. That is for the HTTP server to say.
  answer.headers.delete('Connection')
  return answer
}

/** In what form an answer may be sent: as one JSON text, as a stream of events, or as either. */
type Form = 'json' | 'stream' | 'either'

/** The form for what a caller accepts. JSON where it names neither: `*\/*`, a page, nothing at all. */
function formFor(accept: string | null): Form {
  const taken = (accept ?? '').toLowerCase().split(',').flatMap(typeOf)
  const json = taken.some((type) => type === 'application/json' || type === 'application/*')
  const stream = taken.some((type) => type === 'text/event-stream' || type === 'text/*')
  if (json && stream) return 'either'
  return stream && !taken.includes('*/*') ? 'stream' : 'json'
}

/** The type of one entry; none where its weight is 0, which means "not this". */
function typeOf(entry: string): string[] {
  const [type = '', ...parameters] = entry.split(';').map((part) => part.trim())
  const [, weight] = (parameters.find((one) => one.startsWith('q=')) ?? '').split('=')
  return weight !== undefined && Number(weight) === 0 ? [] : [type]
}
