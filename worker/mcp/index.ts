import * as z from 'zod'
import type { Api } from '../../client/mcp/http/api.ts'
import { type McpServer, makeMcpServer, PATH } from '../../client/mcp/http/server.ts'
import { cloudflareAddress, rateLimitKey } from '../lib/client-address.ts'

const envSchema = z.object({
  MCP_ROUTES: z.enum(['true', 'false']).default('true'),
  /** The API's worker. */
  API: z.custom<Api>((binding) => typeof binding === 'object' && binding !== null && 'fetch' in binding),
  /** Messages of an IPv4 address, or of an IPv6 /64, per minute. Absent on a developer's machine. */
  LIMIT_MCP: z
    .custom<RateLimit>((binding) => typeof binding === 'object' && binding !== null && 'limit' in binding)
    .optional(),
})

interface RateLimit {
  limit(options: { key: string }): Promise<{ success: boolean }>
}

function onError(error: unknown): void {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : 'something that is no Error was thrown'
  console.error(JSON.stringify({ level: 'error', event: 'mcp.fault', message }))
}

/** One for each isolate. */
let server: McpServer | undefined

export default {
  async fetch(request: Request, env: unknown): Promise<Response> {
    const { MCP_ROUTES, API, LIMIT_MCP } = envSchema.parse(env)
    if (new URL(request.url).pathname !== PATH) return new Response('Not found', { status: 404 })
    // The API has no such path, and answers with the problem of any other.
    if (MCP_ROUTES === 'false') return API.fetch(request)
    server ??= makeMcpServer({ onError })
    const key = rateLimitKey(cloudflareAddress(request, {}))
    return server(request, API, LIMIT_MCP && (async () => (await LIMIT_MCP.limit({ key })).success))
  },
}
