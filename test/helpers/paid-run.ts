import { sql } from 'drizzle-orm'
import { ProviderError } from '../../worker/upstreams/provider/provider.ts'
import { useDatabase } from './in-process-database.ts'
import { openService, requests, type Service } from './in-process-service.ts'

export const served = { status: 200 }
export const pending = { status: 202, paymentState: 'settled', nextAction: 'poll' }
export const failed = { status: 502, code: 'inference_failed', paymentState: 'settled', nextAction: 'give_up' }

/** Lets the scheduled runs of `minutes` happen, one each `step` seconds. */
export async function pass(service: Service, minutes: number, step = 10): Promise<void> {
  for (let seconds = 0; seconds < minutes * 60; seconds += step) {
    service.clock.advance(step * 1_000)
    await service.tick()
  }
}

export const unavailable = (more?: ConstructorParameters<typeof ProviderError>[2]) =>
  new ProviderError('unavailable', 'the provider answered 503', more)

/** A database for the tests of a file, services over it whose buyer has signed a payment, and their rows. */
export function useRuns() {
  const db = useDatabase()
  async function openWith(request: unknown = requests.text, prepare: (service: Service) => void = () => undefined) {
    const service = openService(db.database)
    const buyer = await service.openBuyer()
    const header = await buyer.signedPayment(request)
    prepare(service)
    return { service, buyer, pay: () => buyer.answer(request, header), create: () => service.calls().create }
  }
  const journal = async () => (await db.database.run(sql`select state, reason, attempts from payments`))[0]
  const record = async () => (await db.database.run(sql`select status, payment_tx_hash, error from inferences`))[0]
  return { db, openWith, journal, record }
}
