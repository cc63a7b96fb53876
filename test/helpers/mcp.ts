import * as z from 'zod'
import type { Api } from '../../client/mcp/http/api.ts'
import { type McpServer, makeMcpServer } from '../../client/mcp/http/server.ts'

export const MCP_URL = 'https://coinslot.example/mcp'

const messageSchema = z.object({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
})

const toolResultSchema = z.looseObject({
  isError: z.boolean().default(false),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  structuredContent: z.record(z.string(), z.unknown()).default({}),
  _meta: z.record(z.string(), z.unknown()).default({}),
})

/** The one JSON-RPC message of an answer, as JSON or as an event. */
async function messageOf(response: Response): Promise<z.infer<typeof messageSchema>> {
  const text = await response.text()
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') === true
  return messageSchema.parse(JSON.parse(isStream ? (/^data: (.+)$/m.exec(text)?.[1] ?? '') : text))
}

/** The MCP server in this process, before the given API, and calls of it as a client of 2025-11-25 makes them. */
export function openMcp(api: Api['fetch'], url = MCP_URL) {
  const errors: unknown[] = []
  const server: McpServer = makeMcpServer({ onError: (error) => errors.push(error) })
  const send = (init: RequestInit): Promise<Response> => server(new Request(url, init), { fetch: api })
  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    send({
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  async function ask(method: string, params: Record<string, unknown>, headers: Record<string, string> = {}) {
    return messageOf(await post({ jsonrpc: '2.0', id: 1, method, params }, headers))
  }

  async function call(
    name: string,
    args: Record<string, unknown>,
    { meta = {}, headers = {} }: { meta?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    const { result, error } = await ask('tools/call', { name, arguments: args, _meta: meta }, headers)
    if (error !== undefined) throw new Error(`${error.code}: ${error.message}`)
    return toolResultSchema.parse(result)
  }

  return { send, post, ask, call, messageOf, errors }
}
