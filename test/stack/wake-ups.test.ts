import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, test } from 'vitest'
import { type MiniflareWorker, startInMiniflare } from '../helpers/miniflare.ts'
import { faults, type PartProxy, startProxy } from '../helpers/proxy.ts'
import { scriptProvider, startTestStack, type TestStack } from '../helpers/stack.ts'

const body = {
  task: 'text-to-text',
  model: 'meta/meta-llama-3-8b-instruct',
  input: { prompt: 'Tell a sailor who wakes the worker.' },
}

let stack: TestStack
let database: PartProxy
let worker: MiniflareWorker
beforeAll(async () => {
  // No scheduled job: what ends here was ended by the queue.
  stack = await startTestStack({ shell: { RECONCILE_SECONDS: '3600' } })
  database = await startProxy({ target: () => stack.info.databaseHttpUrl })
  worker = await startInMiniflare(stack, { DATABASE_HTTP_URL: `${database.url}/sql` })
})
afterAll(async () => {
  await worker?.stop()
  await database?.close()
  await stack?.stop()
})

test.concurrent('behavior: M7 a purchase that waits for the provider ends by messages of the real queue', async ({
  expect,
}) => {
  await scriptProvider(stack, { calls: [{ on: 'create', status: 503, times: 1_000 }] })
  const buyer = stack.buyer(0, worker.origin)
  expect((await buyer.signIn()).status).toBe(200)
  expect((await buyer.buy(body)).status).toBe(202)
  expect(await stack.rows('payments')).toMatchObject([{ state: 'settled' }])
  await scriptProvider(stack, { clear: true })
  // No one asks the worker from here on. A start whose answer was lost is sent again after a minute at the soonest.
  await expect.poll(() => stack.rows('payments'), { timeout: 120_000 }).toMatchObject([{ state: 'done' }])
  // Its line may come after the row that it is about.
  await expect.poll(() => worker.lines.join()).toMatch(/"payment.moved","trigger":"queue".*"to":"done"/)
  expect(await stack.rows('inferences')).toMatchObject([{ status: 'succeeded' }])
  expect([await stack.transfers(), await stack.predictions()]).toMatchObject([[{}], 1])
})

test.concurrent('error: M7 DATABASE_UNAVAILABLE has the queue deliver the message again', async ({ expect }) => {
  const inferenceId = randomUUID()
  const named = ({ body: text }: { body: string }) => text.includes(inferenceId)
  const restore = database.spoil(named, faults.error(500), Number.POSITIVE_INFINITY)
  await worker.send({ inferenceId })
  await expect.poll(() => worker.lines.join()).toContain('"wake_up.failed"')
  restore()
  await expect.poll(() => database.calls.filter(named).map(({ answer }) => answer?.status)).toContain(200)
})
