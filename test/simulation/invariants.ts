import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../../db/client.ts'
import type { Run } from './simulated-provider.ts'
import type { Simulation } from './simulation.ts'
import type { Spend } from './spends.ts'

/** A promise of the service does not hold. */
export class Violation extends Error {}

const demand = (holds: boolean, words: string): void => {
  if (!holds) throw new Violation(words)
}

/** A transfer mined this long before the claim still counts as made for it. */
const SKEW_MS = 30_000
const FINAL = [200, 502]
/** Tries of a settled purchase: after them, everything that still fails is final. */
const MAX_TRIES = 6
const SANE = [200, 202, 402, 409, 502, 503]

const recordSchema = z.object({
  id: z.string(),
  status: z.string(),
  attempts: z.number(),
  hash: z.string().nullable(),
  error: z.object({ code: z.string(), detail: z.string() }).nullable(),
  output: z.union([z.object({ urls: z.array(z.string()) }), z.object({ text: z.string() })]).nullable(),
})
type StoredRecord = z.infer<typeof recordSchema>

/** Checks what is left when nothing is due any more, and what the callers received. Throws `Violation`. */
export async function checkInvariants(simulation: Simulation, database: Database): Promise<void> {
  for (const violation of simulation.checks.violations) throw new Violation(violation)
  const rows =
    await database.run(sql`select i.id::text as id, i.status::text as status, i.payment_tx_hash as hash, i.error,
      i.output_data as output, coalesce(p.attempts, 0) as attempts from inferences i left join payments p on p.inference_id = i.id`)
  const records = rows.map((row) => recordSchema.parse(row))
  for (const index of simulation.called) checkPayment(simulation, index, records)
  demand(records.length <= simulation.called.size, `${records.length} records for ${simulation.called.size} payments`)
  for (const { status, code, payment } of simulation.answers) {
    // A rejected payment that is sent again is a new claim, and counts in its wallet's ten per minute.
    const isLimited = status === 429 && paidBy(simulation, payment) === null
    demand(SANE.includes(status) || isLimited, `payment ${payment} was answered ${status} ${code}`)
  }
  await checkSums(database)
  await checkJournal(database)
  await checkClaimsSeen(simulation, database)
}

/** The transfer that paid for a claim, if there is one. Of strangers, only a transfer of a signature that the service received. */
function paidBy(simulation: Simulation, index: number): Spend | null {
  const { authorization } = paymentAt(simulation, index)
  const spend = simulation.ledger.find({ payer: authorization.from, nonce: authorization.nonce })
  const claim = simulation.claimOf(index)
  if (spend === undefined || spend.kind !== 'transferred') return null
  if (spend.by.kind === 'facilitator') return spend
  if (claim?.signatures.has(spend.validBefore) !== true) return null
  return spend.blockTime.getTime() >= claim.at.getTime() - SKEW_MS ? spend : null
}

function checkPayment(simulation: Simulation, index: number, records: StoredRecord[]): void {
  const spend = paidBy(simulation, index)
  const claim = simulation.claimOf(index)
  const record = records.find(({ id }) => id === claim?.inferenceId)
  const runs = simulation.runs.runs.filter(
    ({ request }) => claim !== undefined && request.webhookUrl.includes(claim.inferenceId),
  )
  const what = `payment ${index}`
  if (spend === null) {
    demand(record === undefined, `${what} was not paid and has a record`)
    demand(runs.length === 0, `${what} was not paid and was run`)
  } else {
    demand(record !== undefined, `${what} was paid and has no record`)
    demand(record?.status !== 'pending', `${what} was paid and its record stays pending`)
    demand(record?.hash?.split('#')[0] === spend.hash, `${what} has the hash ${record?.hash}, not ${spend.hash}`)
    demand(runs.length <= 1, `${what} was run ${runs.length} times`)
    demand(record?.status !== 'succeeded' || runs.length === 1, `${what} succeeded without a run`)
    demandObjects(simulation, record, what)
    demandSearch(record, runs, what)
  }
  checkAnswers(simulation, index, spend, record)
}

function demandObjects(simulation: Simulation, record: StoredRecord | undefined, what: string): void {
  const output = record?.output
  if (output === null || output === undefined || !('urls' in output)) return
  for (const url of output.urls) {
    demand(
      simulation.objects.has(url.replace('https://cdn.example/', '')),
      `${what} links to ${url}, which is not stored`,
    )
  }
}

/** A file that is not found is looked for again while there are tries, and no file of a simulated run is refused. */
function demandSearch(record: StoredRecord | undefined, runs: readonly Run[], what: string): void {
  const { error } = record ?? {}
  demand(error?.code !== 'output_refused', `${what} had its output refused: ${error?.detail}`)
  const gaveUp = error?.code === 'output_lost' && error.detail === 'The output file was not found.'
  const missed = runs.reduce((sum, run) => sum + run.missed, 0)
  const isLastTry = record !== undefined && record.attempts + 1 >= MAX_TRIES
  demand(!gaveUp || missed > 1 || isLastTry, `${what} lost its output after ${missed} looks`)
}

function checkAnswers(
  simulation: Simulation,
  index: number,
  spend: Spend | null,
  record: StoredRecord | undefined,
): void {
  const answers = simulation.answers.filter(({ payment }) => payment === index)
  const what = `payment ${index}`
  const [last] = answers.slice(-1)
  const expected = record === undefined ? 402 : record.status === 'succeeded' ? 200 : 502
  demand(last?.status === expected, `the last caller of ${what} got ${last?.status} ${last?.code}, not ${expected}`)
  const finals = answers.filter(({ status }) => FINAL.includes(status))
  for (const final of finals) {
    demand(isDeepStrictEqual(final.body, last?.body), `${what} was answered in two ways: ${JSON.stringify(final.body)}`)
  }
  // The worker may deny a payment that the facilitator itself denied until the chain shows it.
  if (spend?.by.kind !== 'facilitator' || spend.by.answeredNo === true) return
  const { by } = spend
  for (const { status, caller, calledAt } of answers) {
    const hadLeft = caller === by.caller || calledAt > by.moment
    demand(status !== 402 || !hadLeft, `${what} was called unpaid, and our facilitator’s transfer was mined`)
  }
}

const paymentAt = (simulation: Simulation, index: number) => {
  const payment = simulation.payments[index]
  if (payment === undefined) throw new Error('no such payment')
  return payment
}

/** The rules about claims check nothing if the simulation does not see the claims in the database's answers. */
async function checkClaimsSeen({ checks }: Simulation, database: Database): Promise<void> {
  for (const { nonce } of await database.run(sql`select nonce from payments`)) {
    demand(checks.claimOf(String(nonce)) !== undefined, `the simulation did not see the claim of ${String(nonce)}`)
  }
}

async function checkSums(database: Database): Promise<void> {
  const [sums] = await database.run(sql`select
    (select coalesce(sum(amount), 0)::text from asset_sum_parts) as received,
    (select coalesce(sum(amount), 0)::text from payments where state in ('settled', 'done', 'owed')) as paid,
    (select coalesce(sum(succeeded), 0)::int from model_sum_parts) as succeeded,
    (select coalesce(sum(failed), 0)::int from model_sum_parts) as failed,
    (select count(*)::int from inferences where status = 'succeeded') as succeeded_records,
    (select count(*)::int from inferences where status = 'failed') as failed_records,
    (select coalesce(sum(runs), 0)::int from day_sum_parts) as runs`)
  demand(sums?.['received'] === sums?.['paid'], 'the sum received is not the sum paid')
  demand(sums?.['succeeded'] === sums?.['succeeded_records'], 'the sum of succeeded runs is wrong')
  demand(sums?.['failed'] === sums?.['failed_records'], 'the sum of failed runs is wrong')
  demand(sums?.['runs'] === Number(sums?.['succeeded']) + Number(sums?.['failed']), 'the sum of days is wrong')
}

async function checkJournal(database: Database): Promise<void> {
  const [rows] = await database.run(sql`select
    count(*) filter (where state in ('done', 'owed') and (next_attempt_at is not null or lease_token is not null))::int as restless,
    count(*) filter (where state in ('settling', 'unknown', 'settled'))::int as unfinished,
    count(*) filter (where state in ('claimed', 'rejected') and next_attempt_at is null)::int as forgotten
    from payments`)
  demand(rows?.['restless'] === 0, 'an ended payment is still due')
  demand(rows?.['unfinished'] === 0, 'a payment never came to its end')
  demand(rows?.['forgotten'] === 0, 'an unpaid payment would never be purged')
}
