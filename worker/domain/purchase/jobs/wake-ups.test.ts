import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { countFinished, seedBacklog } from '../../../../test/helpers/backlog.ts'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../../test/helpers/in-process-service.ts'
import { makeQueueWaker, type WakeUp } from '../../../upstreams/queue/waker.ts'
import { answerWakeUps } from './wake-ups.ts'

const db = useDatabase()

interface Sent {
  body: WakeUp
  delaySeconds: number
}

/** A service whose wake-ups wait here until the test delivers them. */
async function open() {
  const sent: Sent[] = []
  const queue = {
    send: async (body: WakeUp, { delaySeconds }: { delaySeconds: number }) => sent.push({ body, delaySeconds }),
  }
  const service = openService(db.database, { waker: makeQueueWaker(queue, () => service.clock.now()) })
  const deliver = async (...bodies: unknown[]) => {
    const answers: string[] = []
    const messages = bodies.map((body) => ({
      body,
      ack: () => void answers.push('ack'),
      retry: () => void answers.push('retry'),
    }))
    const deps = { ...service.deps, log: service.log, waitUntil: () => undefined }
    await service.time.run(answerWakeUps(deps, messages))
    return answers
  }
  const buyer = await service.openBuyer()
  return { service, buyer, sent, deliver }
}

const journal = async () => (await db.database.run(sql`select state, attempts from payments`))[0]

it('default: a purchase that waits for the provider ends by wake-ups alone, without its buyer', async () => {
  const { service, buyer, sent, deliver } = await open()
  service.provider.state.down = true
  await buyer.answer(requests.text, await buyer.signedPayment(requests.text))
  // In case the worker dies, and for the planned try.
  expect(sent.map(({ delaySeconds }) => delaySeconds)).toEqual([35, 30])
  service.clock.advance(30_000)
  await deliver(sent[1]?.body)
  expect(await journal()).toEqual({ state: 'settled', attempts: 2 })
  service.provider.state.down = false
  service.clock.advance(61_000)
  await deliver(sent[2]?.body)
  expect(await journal()).toMatchObject({ state: 'done' })
  expect(service.calls()).toMatchObject({ settle: 1, create: 1 })
})

it('behavior: early, late, repeated, forged and unreadable messages change nothing', async () => {
  const { service, buyer, sent, deliver } = await open()
  service.provider.state.down = true
  await buyer.answer(requests.text, await buyer.signedPayment(requests.text))
  const forged = [{ inferenceId: '00000000-0000-4000-8000-000000000000' }, { inferenceId: "' or true" }, 'all', null]
  const early = [sent[0]?.body, sent[0]?.body, ...forged]
  expect(await deliver(...early)).toEqual(early.map(() => 'ack'))
  expect(await journal()).toEqual({ state: 'settled', attempts: 1 })
  service.provider.state.down = false
  service.clock.advance(91_000)
  await deliver(sent[0]?.body, sent[1]?.body, sent[1]?.body, { dueUntil: 0 }, { dueUntil: 0 })
  expect(await journal()).toMatchObject({ state: 'done' })
  await deliver(sent[1]?.body, { dueUntil: 0 })
  expect(service.calls()).toMatchObject({ settle: 1, create: 1 })
})

it('behavior: while another driver has the lease, the next wake-up comes when that ends', async () => {
  const { service, buyer, sent, deliver } = await open()
  service.provider.state.down = true
  await buyer.answer(requests.text, await buyer.signedPayment(requests.text))
  const until = new Date(service.clock.now().getTime() + 20_000).toISOString()
  await db.database.run(sql`update payments set lease_token = 'another', lease_until = ${until}::timestamptz`)
  sent.length = 0
  await deliver({
    inferenceId: String((await db.database.run(sql`select inference_id from payments`))[0]?.['inference_id']),
  })
  expect(sent.map(({ delaySeconds }) => delaySeconds)).toEqual([20])
})

it('behavior: a message for what is due is followed while work is left, for a minute', async () => {
  const { service, sent, deliver } = await open()
  await seedBacklog(db.database, 100, service.clock.now())
  const dueUntil = service.clock.now().getTime() + 60_000
  await deliver({ dueUntil })
  expect(sent).toEqual([{ body: { dueUntil }, delaySeconds: 0 }])
  service.clock.advance(60_000)
  await deliver({ dueUntil })
  expect(sent).toHaveLength(1)
  expect(await countFinished(db.database)).toEqual({ done: 80, records: 80 })
})

it('error: DATABASE_UNAVAILABLE has the message delivered again', async () => {
  const { service, deliver } = await open()
  service.deps.database = {
    run: () => Promise.reject(new Error('away')),
    batch: () => Promise.reject(new Error('away')),
  }
  expect(await deliver({ dueUntil: 0 }, 'all')).toEqual(['ack', 'retry'])
})

it('behavior: what is due in more than 12 hours is left to the scheduled job', async () => {
  const sent: Sent[] = []
  const now = new Date('2026-11-27T12:00:00Z')
  const waker = makeQueueWaker({ send: async (body, { delaySeconds }) => sent.push({ body, delaySeconds }) }, () => now)
  await waker.wake({ dueUntil: 0 }, new Date('2026-11-27T11:00:00Z'))
  await waker.wake({ dueUntil: 0 }, new Date('2026-11-28T00:00:00Z'))
  await waker.wake({ dueUntil: 0 }, new Date('2026-11-28T00:00:01Z'))
  expect(sent.map(({ delaySeconds }) => delaySeconds)).toEqual([0, 43_200])
})
