import { expect, it } from 'vitest'
import type { Database } from '../../../db/client.ts'
import { toPostgres } from '../../../db/statement.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../test/helpers/in-process-service.ts'
import { driveIfStuck } from './jobs/reconcile.ts'
import { runLeaseMs } from './leases.ts'

const db = useDatabase()

/** A service over the database that notes each statement that asks for a lease. */
async function open() {
  let leases = 0
  const run: Database['run'] = (statement, options) => {
    if (toPostgres(statement).sql.includes('set lease_token')) leases += 1
    return db.database.run(statement, options)
  }
  const service = openService({ ...db.database, run })
  const buyer = await service.openBuyer()
  const header = await buyer.signedPayment(requests.text)
  /** A hint of the provider, as a webhook brings it. */
  const hint = (inferenceId: string) =>
    driveIfStuck(service.deps, { inferenceId }, { untouchedSince: service.clock.now(), hint: 'prediction-1' })
  return { service, buyer, header, hint, leases: () => leases }
}

const inferenceOf = (webhook: string | null): string => new URL(webhook ?? '').searchParams.get('inference') ?? ''

it('behavior: a webhook of a run that this isolate waits for asks the database nothing', async () => {
  const { service, buyer, header, hint, leases } = await open()
  const hints: Promise<unknown>[] = []
  service.provider.state.plays = (prediction) => {
    hints.push(hint(inferenceOf(prediction.webhook)))
    return prediction
  }
  expect((await buyer.answer(requests.text, header)).status).toBe(200)
  expect(await Promise.all(hints)).toEqual([null])
  expect(leases()).toBe(0)
})

it('behavior: a webhook asks again once the drive has stopped, or its lease has ended', async () => {
  const { service, buyer, header, hint, leases } = await open()
  const hints: Promise<unknown>[] = []
  service.provider.state.plays = (prediction) => {
    service.clock.advance(runLeaseMs)
    hints.push(hint(inferenceOf(prediction.webhook)))
    return prediction
  }
  const { body } = await buyer.answer(requests.text, header)
  await Promise.all(hints)
  expect(leases()).toBe(1)
  await hint(String(body.id))
  expect(leases()).toBe(2)
})
