import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { makeTestConfig } from '../../test/helpers/config.ts'
import { makeTestDeps } from '../../test/helpers/deps.ts'
import { forRequest } from '../http/middleware/request-deps.ts'
import type { ErrorReport } from '../upstreams/error-tracking/error-tracker.ts'
import { makeNodeServer } from './server.ts'

function setUp() {
  const reports: ErrorReport[] = []
  const errorTracker = { report: async (report: ErrorReport) => void reports.push(report) }
  return { reports, ...makeTestDeps({ errorTracker }) }
}

test('error: a scheduled run that fails is reported to the error tracker', async () => {
  const { deps, reports } = setUp()
  const server = makeNodeServer(deps, null)
  await server.reconcile()
  await expect.poll(() => reports).toHaveLength(1)
  expect(reports[0]).toMatchObject({
    event: 'reconcile.failed',
    fields: { cause: { name: 'DatabaseUnavailable', message: 'the test database is down' } },
    context: { trigger: 'scheduled' },
  })
})

test('error: work that fails after its answer is reported, and ends nothing else', async () => {
  const { deps, log, reports } = setUp()
  const pending: Promise<unknown>[] = []
  const request = forRequest(deps, log, (promise) => void pending.push(promise), { requestId: 'r-1' })
  request.waitUntil(Promise.reject(new Error('on purpose')))
  await Promise.all(pending)
  expect(reports).toMatchObject([
    { event: 'background.failed', fields: { cause: { message: 'on purpose' } }, context: { requestId: 'r-1' } },
  ])
})

test.each([
  // The test's database is down, and only what is sold now is listed.
  ['/v1/models', 503],
  ['/openapi.json', 200],
  ['/.well-known/coinslot.json', 200],
])('behavior: beside a site the app answers %s', async (path, status) => {
  const server = makeNodeServer(setUp().deps, () => new Response('the site'))
  const port = await server.listen(0, '127.0.0.1')
  const answer = await fetch(`http://127.0.0.1:${port}${path}`)
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([status, 'application/json'])
  await answer.body?.cancel()
  await server.stop(1_000)
})

test('behavior: the longest payment and proof that the app reads reach it together', async () => {
  const server = makeNodeServer(setUp().deps, null)
  const port = await server.listen(0, '127.0.0.1')
  const headers = { 'Payment-Signature': 'A'.repeat(32 * 1024), 'SIGN-IN-WITH-X': 'A'.repeat(16 * 1024) }
  const answer = await fetch(`http://127.0.0.1:${port}/api/inference`, { method: 'POST', headers, body: '{}' })
  expect(await answer.json()).toMatchObject({ status: 400, code: 'invalid_siwe_message' })
  await server.stop(1_000)
})

/** The status of a call as it is written, without a `Content-Length` that a client would add. */
function statusOf(port: number, call: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(port, '127.0.0.1', () => socket.write(call))
  let answer = ''
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text
  })
  socket.on('close', () => resolve(answer.split(' ')[1] ?? ''))
  socket.on('error', reject)
  return promise
}

test.each([
  ['OPTIONS', '/api/inference', '', '204'],
  ['POST', '/api/auth/logout', '', '403'],
  ['POST', '/api/inference', '', '503'],
  ['DELETE', '/api/models', '', '405'],
  ['LINK', '/api/models', '', '405'],
  ['POST', '/api/inference/estimate', '2\r\n{}\r\n0\r\n\r\n', '400'],
  ['POST', '/api/inference/estimate', `11000\r\n${' '.repeat(0x11000)}\r\n0\r\n\r\n`, '413'],
])('behavior: %s %s answers where the size of the body is not said', async (method, path, chunks, status) => {
  const server = makeNodeServer(setUp().deps, null)
  const port = await server.listen(0, '127.0.0.1')
  const encoding = chunks === '' ? '' : 'Transfer-Encoding: chunked\r\n'
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n`
  expect(await statusOf(port, `${head}${encoding}\r\n${chunks}`)).toBe(status)
  await server.stop(1_000)
})

/** A server on a free port, and a call of it. */
async function listening(overrides: Parameters<typeof makeTestConfig>[0] = {}) {
  const { deps, rateLimiter } = makeTestDeps({ config: makeTestConfig(overrides) })
  const server = makeNodeServer(deps, null)
  const port = await server.listen(0, '127.0.0.1')
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(body),
    })
  return { post, rateLimiter, stop: () => server.stop(1_000) }
}

const toolCall = (name: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } })

test('default: the MCP server answers at /mcp, and calls this API', async () => {
  const { post, stop } = await listening()
  const answer = await post('/mcp', toolCall('list_models'))
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('database_unavailable')])
  await stop()
})

test('behavior: the MCP server ends a connection that its caller asked to close', async () => {
  const server = makeNodeServer(setUp().deps, null)
  const port = await server.listen(0, '127.0.0.1')
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const head =
    'Host: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n'
  expect(await statusOf(port, `POST /mcp HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`)).toBe('200')
  await server.stop(1_000)
})

test('error: a caller of the MCP server cannot invent its address', async () => {
  const { post, rateLimiter, stop } = await listening()
  for (const headers of [{}, { 'X-Forwarded-For': '203.0.113.7' }, { 'CF-Connecting-IP': '203.0.113.7' }]) {
    await (await post('/mcp', toolCall('list_models'), headers)).text()
  }
  const taken = ['claims:mcp 127.0.0.1', 'models:127.0.0.1']
  expect(rateLimiter.state.taken).toEqual([...taken, ...taken, ...taken])
  await stop()
})

test.each([
  ['what is below /mcp', '/mcp/inference', {}],
  ['the same in another spelling', '/v1/%2e%2e/%6dcp/inference', {}],
  ['/mcp itself with MCP_ROUTES=false', '/mcp', { mcpRoutes: false }],
])('error: %s is not found', async (_, path, config) => {
  const { post, stop } = await listening(config)
  const answer = await post(path, toolCall('list_models'))
  expect(answer.status).toBe(404)
  await answer.body?.cancel()
  await stop()
})
