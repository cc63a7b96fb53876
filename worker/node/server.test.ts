import { expect, test } from 'vitest'
import { makeTestDeps } from '../../test/helpers/deps.ts'
import type { ErrorReport } from '../error-tracking/error-tracker.ts'
import { forRequest } from '../middleware/request-deps.ts'
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

test.each(['/v1/models', '/openapi.json', '/.well-known/coinslot.json'])(
  'behavior: beside a site the app answers %s',
  async (path) => {
    const server = makeNodeServer(setUp().deps, () => new Response('the site'))
    const port = await server.listen(0, '127.0.0.1')
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/json'])
    await answer.body?.cancel()
    await server.stop(1_000)
  },
)
