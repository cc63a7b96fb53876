import { expect, test } from 'vitest'
import type { Database } from '../../../../db/client.ts'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../../test/helpers/in-process-service.ts'

const db = useDatabase()

test('error: a fault that comes after the call was answered is logged as an error', async () => {
  let isBroken = false
  const orBroken = <T>(work: () => Promise<T>) => (isBroken ? Promise.reject(new Error('broken')) : work())
  const database: Database = {
    run: (...args) => orBroken(() => db.database.run(...args)),
    batch: (...args) => orBroken(() => db.database.batch(...args)),
  }
  const service = openService(database)
  const buyer = await service.openBuyer()
  const answered = Promise.withResolvers<void>()
  const { create } = service.provider
  service.provider.create = (request) => answered.promise.then(() => create(request))
  const header = await buyer.signedPayment(requests.text)
  const answer = await buyer.answer(requests.text, header, { Prefer: 'respond-async' })
  expect(answer.status).toBe(202)
  isBroken = true
  answered.resolve()
  await service.finish()
  const fault = { event: 'purchase.fault', fields: { cause: { message: 'broken' } } }
  expect(service.log.lines.filter(({ level }) => level === 'error')).toMatchObject([fault, fault])
})
