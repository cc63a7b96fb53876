import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { useDatabase } from '../../test/helpers/in-process-database.ts'
import { openService, requests, type Service } from '../../test/helpers/in-process-service.ts'
import { driveIfStuck } from '../../worker/domain/purchase/jobs/reconcile.ts'
import type { Prediction } from '../../worker/upstreams/provider/provider.ts'
import { StorageUnavailable } from '../../worker/upstreams/store/object-store.ts'
import { parsePaymentsFlags } from './flags.ts'
import { runPayments } from './run.ts'

const db = useDatabase()
let service: Service
beforeEach(() => {
  service = openService(db.database)
})

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Array(40).fill(0)])
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

/** Runs a command as typed, without the program's name. */
async function operator(line: string, ...more: string[]) {
  const flags = parsePaymentsFlags([...line.split(' '), ...more])
  const { chain, clock, deps } = service
  const { config } = deps
  return runPayments({ database: db.database, chain, config, local: null, now: () => clock.now() }, flags)
}
const json = async (line: string, ...more: string[]) => {
  const { ok, text } = await operator(line, ...more, '--json')
  return { ok, ...JSON.parse(text) }
}

const failing = (error: string) => (prediction: Prediction) => ({
  ...prediction,
  status: 'failed' as const,
  rawStatus: 'failed',
  output: null,
  error,
})

/** Buys a text; `plays` decides how its run ends, now and later, and no other run. */
async function buy(plays = (prediction: Prediction): Prediction => prediction) {
  const others = service.provider.state.plays
  const own = `prediction-${service.calls().create + 1}`
  service.provider.state.plays = (prediction) => (prediction.id === own ? plays : others)(prediction)
  const buyer = await service.openBuyer()
  const header = await buyer.signedPayment(requests.text, { validBefore: String(seconds() + 800) })
  const answer = await buyer.answer(requests.text, header)
  const id = answer.body.id ?? String(answer.body.statusUrl).split('/').at(-1) ?? ''
  return { buyer, header, id, status: answer.status, again: () => buyer.answer(requests.text, header) }
}
const seconds = () => Math.floor(service.clock.now().getTime() / 1000)

/** Runs and failures as the statistics count them. */
async function sums() {
  const [row] = await db.database.run(sql`select (select sum(succeeded)::int from model_sum_parts) as succeeded,
    (select sum(failed)::int from model_sum_parts) as failed, (select sum(runs)::int from day_sum_parts) as ended,
    (select count(*)::int from inferences) as records`)
  return row
}

describe('list and show', () => {
  it('default: rows newest first, by state, without a word of the prompt', async () => {
    const owed = await buy(failing('CUDA out of memory'))
    await service.time.advance(1_000)
    const done = await buy()
    const { payments } = await json('list')
    expect(payments.map((row: { inferenceId: string }) => row.inferenceId)).toEqual([done.id, owed.id])
    expect((await json('list --state owed')).payments).toMatchObject([
      { inferenceId: owed.id, state: 'owed', reason: 'CUDA out of memory', amount: '3000', resolvedAt: null },
    ])
    const { text } = await operator('list')
    expect(text.split('\n')).toHaveLength(2)
    expect(text).toContain('  0.003000 USDC  ')
    expect((await operator(`show ${done.id}`)).text).toMatch(/^amount +0\.003000 USDC$/m)
    expect(text).not.toContain(requests.text.input.prompt)
    expect((await operator('list --state unknown')).text).toBe('No payment matches.')
  })

  it('behavior: rows of a wallet or of a transaction, in any letter case, shared ones too', async () => {
    const { id, buyer } = await buy()
    await buy()
    const of = async (line: string) => {
      const { payments } = await json(`list ${line}`)
      return payments.map((row: { inferenceId: string }) => row.inferenceId)
    }
    expect(await of(`--payer ${buyer.account.address}`)).toEqual([id])
    const { transaction } = await json(`show ${id}`)
    expect(await of(`--transaction ${transaction.toUpperCase().replace('0X', '0x')}`)).toEqual([id])
    await db.database.run(sql`update payments set tx_hash = ${`${transaction}#7`} where inference_id <> ${id}::uuid`)
    expect(await of(`--transaction ${transaction}`)).toHaveLength(2)
  })

  it('behavior: --stuck lists a payment still unknown an hour after its authorization expired', async () => {
    service.facilitator.state.settles = async () => ({ kind: 'unknown', reason: 'status 504' })
    const { id, status } = await buy()
    expect(status).toBe(503)
    service.chain.state.down = true
    const stuck = async () =>
      (await json('list --stuck')).payments.map((row: { inferenceId: string }) => row.inferenceId)
    await service.time.advance(4_000_000)
    await service.tick()
    expect(await stuck()).toEqual([])
    await service.time.advance(1_000_000)
    await service.tick()
    expect(await stuck()).toEqual([id])
    service.chain.state.down = false
    await service.time.advance(600_000)
    await service.tick()
    expect(await stuck()).toEqual([])
  })

  it('default: one row by either of its ids, with its record and what the chain says', async () => {
    const { id } = await buy(failing('CUDA out of memory'))
    service.chain.state.script.authorizationStatus = async () => ({ spent: true, blockTime: service.clock.now() })
    service.chain.state.script.authorizationOutcome = async () => ({
      kind: 'transferred',
      transaction: '0xab',
      logIndex: 1,
      blockTime: service.clock.now(),
      confirmations: 7,
    })
    const shown = await json(`show ${id}`)
    expect(shown).toMatchObject({
      ok: true,
      state: 'owed',
      record: { status: 'failed', error: { code: 'run_failed' } },
      chain: `paid by 0xab at ${service.clock.now().toISOString()}, 7 deep`,
    })
    expect((await json(`show ${shown.id}`)).inferenceId).toBe(id)
    expect((await operator(`show ${id}`)).text).toMatch(/^state +owed$/m)
  })

  it.each([
    ['unspent', 0, null, /^unspent: it may still be paid until it expires$/],
    ['unspent and expired', 900_000, null, /^unspent and expired: it can never be paid$/],
    ['spent before the claim', -60_000, 7, /^spent, but not by a transfer for this claim/],
    ['spent, and not deep enough', 0, 0, /^paid, but not 1 deep yet/],
    ['spent for the claim', 60_000, 1, /^paid by 0xab at /],
  ])('behavior: show decides as the service does: %s', async (_what, laterMs, depth, words) => {
    const { id } = await buy(failing('broken'))
    const blockTime = new Date(service.clock.now().getTime() + laterMs)
    const { script } = service.chain.state
    script.authorizationStatus = async () => ({ spent: depth !== null, blockTime })
    const found = { kind: 'transferred', transaction: '0xab', logIndex: 1, blockTime } as const
    script.authorizationOutcome = async () => ({ ...found, confirmations: depth ?? 0 })
    expect((await json(`show ${id}`)).chain).toMatch(words)
  })

  it('behavior: an RPC that is down is reported, and the row is shown anyway', async () => {
    const { id } = await buy()
    service.chain.state.down = true
    expect(await json(`show ${id}`)).toMatchObject({
      state: 'done',
      chain: expect.stringMatching(/^cannot be read: /),
    })
  })
})

describe('retry', () => {
  it('behavior: a failed run is run again, and the same payment brings its result', async () => {
    const purchase = await buy(failing('CUDA out of memory'))
    expect(purchase.status).toBe(502)
    expect(await sums()).toEqual({ succeeded: 0, failed: 1, ended: 1, records: 1 })
    await service.time.advance(3_600_000)
    expect(await json(`retry ${purchase.id}`)).toMatchObject({ ok: true, done: true, payment: { state: 'settled' } })
    expect(await sums()).toEqual({ succeeded: 0, failed: 0, ended: 0, records: 1 })
    await service.tick()
    expect(await purchase.again()).toMatchObject({ status: 200, body: { id: purchase.id, status: 'succeeded' } })
    expect(await sums()).toEqual({ succeeded: 1, failed: 0, ended: 1, records: 1 })
    expect(service.calls()).toMatchObject({ settle: 1, create: 2 })
  })

  it('behavior: it may fail again, and is owed again', async () => {
    const purchase = await buy(failing('CUDA out of memory'))
    await service.time.advance(3_600_000)
    await operator(`retry ${purchase.id}`)
    service.provider.state.plays = failing('still broken')
    await service.tick()
    expect(await purchase.again()).toMatchObject({ status: 502 })
    expect((await json(`show ${purchase.id}`)).record.error.detail).toBe('still broken')
    expect(await sums()).toEqual({ succeeded: 0, failed: 1, ended: 1, records: 1 })
  })

  it('behavior: an old run’s webhook or a killed new start restores no old failure', async () => {
    const purchase = await buy(failing('CUDA out of memory'))
    await service.time.advance(3_600_000)
    await operator(`retry ${purchase.id}`)
    // The old run is still in the list, failed. Its webhook comes again, and the start of the new one breaks off once.
    const deps = { ...service.deps, log: service.log, waitUntil: () => undefined }
    const hint = { untouchedSince: service.clock.now(), hint: 'prediction-1' }
    await service.time.run(driveIfStuck(deps, { inferenceId: purchase.id }, hint))
    expect((await json(`show ${purchase.id}`)).state).toBe('settled')
    await operator(`retry ${purchase.id}`)
    service.provider.state.createError = new Error('killed')
    await service.tick()
    service.provider.state.createError = null
    await service.time.advance(120_000)
    await service.tick()
    expect(await purchase.again()).toMatchObject({ status: 200 })
    expect(service.calls()).toMatchObject({ settle: 1 })
  })

  it('behavior: where the provider was away a run that exists is looked at first', async () => {
    const put = service.store.put
    service.provider.state.output = ['https://files.example/out.png']
    service.provider.state.files.set('https://files.example/out.png', PNG)
    service.store.put = () => Promise.reject(new StorageUnavailable('away'))
    const buyer = await service.openBuyer()
    const header = await buyer.signedPayment(requests.image, { validBefore: String(seconds() + 800) })
    await buyer.answer(requests.image, header)
    for (let hours = 0; hours < 8; hours += 1) {
      await service.time.advance(3_600_000)
      await service.tick()
    }
    const [row] = (await json('list --state owed')).payments
    expect(row.reason).toMatch(/could not be run, or its output not stored/)
    service.store.put = put
    expect(await json(`retry ${row.id}`)).toMatchObject({ done: true, payment: { predictionId: 'prediction-1' } })
    await service.tick()
    expect(await buyer.answer(requests.image, header)).toMatchObject({ status: 200 })
    expect(service.calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('behavior: a waiting payment is due now; a driven or done one is unchanged', async () => {
    service.provider.state.down = true
    const waiting = await buy()
    expect(waiting.status).toBe(202)
    service.provider.state.down = false
    await service.time.advance(1_000)
    await service.tick()
    expect((await json(`show ${waiting.id}`)).state).toBe('settled')
    expect(await json(`retry ${waiting.id}`)).toMatchObject({
      done: true,
      detail: 'The next scheduled job looks at it.',
    })
    await service.time.advance(60_000)
    await service.tick()
    expect(await json(`retry ${waiting.id}`)).toMatchObject({
      ok: false,
      done: false,
      detail: expect.stringMatching(/^It is done/),
    })
    await db.database.run(
      sql`update payments set state = 'settled', lease_until = ${'2999-01-01T00:00:00Z'}::timestamptz`,
    )
    expect(await json(`retry ${waiting.id}`)).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/^It is being worked on, until 2999/),
    })
  })

  it('error: a run that succeeded is not run again, whatever became of its output', async () => {
    const { id } = await buy((prediction) => ({ ...prediction, output: null }))
    expect((await json(`show ${id}`)).record.error.code).toBe('output_empty')
    expect(await json(`retry ${id}`)).toMatchObject({
      ok: false,
      done: false,
      detail: expect.stringMatching(/^Its run succeeded/),
    })
    expect((await json(`show ${id}`)).state).toBe('owed')
  })
})

describe('resolve', () => {
  it('default: notes the refund, once; then nothing is run again', async () => {
    const { id, again } = await buy(failing('broken'))
    expect(await json(`resolve ${id} --note`, 'sent 3000 back in 0xfe')).toMatchObject({
      done: true,
      payment: { state: 'owed', resolution: 'sent 3000 back in 0xfe', resolvedAt: service.clock.now().toISOString() },
    })
    expect((await json('list --state owed --unresolved')).payments).toEqual([])
    expect((await operator('list --state owed')).text).toMatch(/refunded: sent 3000 back in 0xfe$/)
    expect(await json(`resolve ${id} --note`, 'twice')).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/sent 3000 back/),
    })
    expect(await json(`retry ${id}`)).toMatchObject({ ok: false, detail: expect.stringMatching(/^It was refunded/) })
    expect(await again()).toMatchObject({ status: 502 })
  })

  it('error: only what is owed can be refunded', async () => {
    const { id } = await buy()
    expect(await json(`resolve ${id} --note x`)).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/^It is done, not owed/),
    })
  })

  it.each(['show', 'retry', 'resolve --note x'])('error: %s of an unknown ID', async (line) => {
    expect(await operator(`${line} ${UNKNOWN_ID}`)).toEqual({ ok: false, text: 'There is no payment with this ID.' })
  })
})
