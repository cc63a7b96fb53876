import * as z from 'zod'
import { call, jsonOf } from '../../worker/lib/http.ts'
import { type Check, type Finding, fail, ok, warn, wordsOf } from './finding.ts'

const DEADLINE_MS = 10_000
const healthSchema = z.object({ status: z.string(), db: z.string(), r2: z.string(), replicate: z.string() })

/** Calls the deployment itself: its health, its site, and whether it accepts webhooks. */
export const checkOrigin: Check = async ({ config, fetch }) => {
  const [origin] = config.publicOrigins
  const get = (path: string) => call(fetch, origin + path, { deadlineMs: DEADLINE_MS })
  const answer = await get('/api/health').catch(wordsOf)
  const health = healthSchema.safeParse(typeof answer === 'string' ? undefined : jsonOf(answer.text))
  if (typeof answer === 'string' || !health.success) {
    const how = typeof answer === 'string' ? `does not answer: ${answer}` : `answers ${answer.status} to /api/health`
    const advice =
      '503 misconfigured: its log names every fault. Else: deploy it, and check the routes /api/* and /.well-known/* of the ' +
      'worker and the DNS record of PUBLIC_ORIGIN. Before the first deployment: npm run doctor -- --before-deploy'
    return [fail('service', `${origin} ${how}`, advice)]
  }
  const { status, ...parts } = health.data
  const broken = Object.entries(parts)
    .filter(([, state]) => state !== 'ok')
    .map(([name]) => name)
  const service =
    status === 'ok'
      ? ok('service', `${origin} is healthy`)
      : fail(
          'service',
          `${origin} says that ${broken.join(', ')} failed`,
          'Where these checks passed here, compare the secrets of the deployment with those checked here.',
        )
  const mcp = config.mcpRoutes ? [await checkMcp(origin, fetch)] : []
  return [service, await checkSite(origin, get), await checkWebhook(origin, fetch), ...mcp]
}

async function checkSite(origin: string, get: (path: string) => ReturnType<typeof call>): Promise<Finding> {
  const answer = await get('/').catch(wordsOf)
  if (typeof answer !== 'string' && answer.status === 200 && answer.headers.has('content-security-policy')) {
    return ok('site', 'is there, with its content policy')
  }
  const how =
    typeof answer === 'string'
      ? answer
      : `${answer.status}, content policy ${answer.headers.has('content-security-policy')}`
  return fail(
    'site',
    `${origin}/: ${how}`,
    'Deploy the site (npm run deploy -- web) and connect its domain; its _headers file must be deployed too.',
  )
}

/** An unsigned call must be refused with 401; 404 means that the deployment has no secret. */
async function checkWebhook(origin: string, fetch: Parameters<typeof call>[0]): Promise<Finding> {
  const url = `${origin}/api/webhooks/model-provider`
  const headers = { 'content-type': 'application/json' }
  const answer = await call(fetch, url, { method: 'POST', headers, body: '{}', deadlineMs: DEADLINE_MS }).catch(wordsOf)
  if (typeof answer === 'string')
    return fail('webhooks', `${url}: ${answer}`, 'The provider cannot reach it either: check the routes of the worker.')
  if (answer.status === 401) return ok('webhooks', 'unsigned ones are refused')
  if (answer.status === 404) {
    return fail(
      'webhooks',
      `${url} answers 404`,
      'The deployment has no MODEL_PROVIDER_WEBHOOK_SECRET: npx wrangler secret put MODEL_PROVIDER_WEBHOOK_SECRET --env production',
    )
  }
  return fail(
    'webhooks',
    `${url} answers ${answer.status} to an unsigned call`,
    'It should answer 401: check what is in front of the worker (firewall rules, another route).',
  )
}

/** A free tool must answer, which takes the MCP server and its way to the API. */
async function checkMcp(origin: string, fetch: Parameters<typeof call>[0]): Promise<Finding> {
  const url = `${origin}/mcp`
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const params = { name: 'estimate', arguments: {} }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const answer = await call(fetch, url, { method: 'POST', headers, body, deadlineMs: DEADLINE_MS }).catch(wordsOf)
  if (typeof answer !== 'string' && answer.text.includes('estimatedCostUsdc')) return ok('mcp', 'its tools answer')
  const how = typeof answer === 'string' ? answer : `answers ${answer.status}, and no price`
  const advice =
    'npx wrangler deploy --minify -c worker/mcp/wrangler.toml --env production, with your host in its routes. ' +
    'Without an MCP server set MCP_ROUTES to "false".'
  return warn('mcp', `${url}: ${how}`, advice)
}
