import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, type ExpectStatic, it } from 'vitest'
import type { Arrow } from '../helpers/arrows.ts'
import { borrowProxiedStack, type ProxiedStack } from '../helpers/proxied-stack.ts'
import { type Fault, faults } from '../helpers/proxy.ts'
import { openScenario, type Scenario, type Verdict } from '../helpers/scenario.ts'
import { type Kind, TASKS } from './fault-points.ts'

let stack: ProxiedStack
beforeAll(async () => {
  stack = await borrowProxiedStack()
})
afterAll(() => stack?.stop())

let next = 0
async function open(kind: Kind): Promise<Scenario> {
  const validBefore = String(Math.floor(Date.now() / 1000) + 600)
  return openScenario(stack, await stack.signedIn(next++ % 8), { validBefore }, TASKS[kind])
}

/** As if two minutes had passed for this purchase: its lease has expired and its next attempt is due. */
const twoMinutesLater = (scenario: Scenario) =>
  stack.database.run(sql`update payments set lease_until = null, lease_token = null, updated_at = now() - interval '2 minutes',
    settled_at = settled_at - interval '2 minutes', next_attempt_at = case when next_attempt_at is null then null else now() end
    where nonce = ${scenario.nonce}`)

const served: Verdict = { status: 200 }
const pending: Verdict = { status: 202, paymentState: 'settled', nextAction: 'poll' }
const unknown: Verdict = {
  status: 503,
  code: 'settlement_unknown',
  paymentState: 'unknown',
  nextAction: 'retry_same_payment',
}
const away = (paymentState: string): Verdict => ({
  status: 503,
  code: 'database_unavailable',
  paymentState,
  nextAction: 'retry_same_payment',
})

type Row = [
  what: string,
  kind: Kind,
  arrow: Arrow,
  fault: Exclude<Fault, { kind: 'hold' }>,
  times: number,
  first: Verdict,
]
const throttled: Fault & { kind: 'answer' } = faults.json({ detail: 'throttled', retry_after: 1 }, { status: 429 })
const billing: Fault & { kind: 'answer' } = faults.json({ title: 'Billing required' }, { status: 402 })
const rows: Row[] = [
  ['the claim does not reach the database', 'text', 'claim', faults.cut(false), 1, away('unknown')],
  ["the claim's answer is lost", 'text', 'claim', faults.cut(), 1, away('unknown')],
  ['the settled mark does not reach the database', 'text', 'settled mark', faults.cut(false), 1, unknown],
  ["the settled mark's answer is lost", 'text', 'settled mark', faults.cut(), 1, unknown],
  ["the prediction's id does not reach the database", 'image', 'prediction id', faults.error(503), 1, served],
  ['the record does not reach the database', 'text', 'record', faults.cut(false), 1, pending],
  ["the record's answer is lost", 'image', 'record', faults.cut(), 1, pending],
  ['the provider throttles the start', 'text', 'create', throttled, 2, served],
  ['the provider drops three looks', 'text', 'poll', faults.cut(false), 3, served],
  ['the store fails twice', 'image', 'object', faults.error(503), 2, served],
  ['the store fails', 'image', 'object', faults.error(503), 3, pending],
  ['the store keeps the object and its answers are lost', 'image', 'object', faults.cut(), 3, pending],
]

/** One after the other: after three failures in a row a service counts as down, and nothing is sold. */
const providerRows: Row[] = [
  ['the provider throttles the start for long', 'text', 'create', throttled, 30, pending],
  ['the provider asks us to pay our bill', 'text', 'create', billing, 1, pending],
  ['the provider fails at the start', 'text', 'create', faults.error(500), 1, pending],
  ['the provider starts the run and its answer is lost', 'text', 'create', faults.cut(), 1, pending],
  ['the provider starts the run and answers 502', 'sound', 'create', faults.error(502, true), 1, pending],
  ['the provider drops all looks for a while', 'text', 'poll', faults.error(500), 5, pending],
  ['the file does not come', 'image', 'file', faults.error(503), 1, pending],
  ["the file's connection breaks", 'sound', 'file', faults.cut(false), 1, pending],
]

async function play([, kind, arrow, fault, times, first]: Row, expect: ExpectStatic): Promise<void> {
  const scenario = await open(kind)
  // The start of a run waits 5 s for its end. Only a longer one is looked at.
  if (arrow === 'poll') await scenario.script({ processingMs: 5_500 })
  const mend = scenario.spoil(arrow, fault, times)
  expect(await scenario.send()).toEqual(first)
  mend()
  if (first !== served) await twoMinutesLater(scenario)
  // The scheduled job comes first where there is something to do without the buyer.
  if (first === pending) await stack.tick()
  await expect.poll(() => scenario.send(), { timeout: 60_000, interval: 500 }).toEqual(served)
  expect(await scenario.counts()).toMatchObject({ settle: 1, transfers: 1, predictions: 1 })
  const row = await scenario.journal()
  expect(row).toMatchObject({ state: 'done' })
  expect(await stack.objects(String(row?.['object_key']))).toHaveLength(kind === 'text' ? 0 : 1)
  expect((await stack.rows('inferences')).filter(({ id }) => id === row?.['inference_id'])).toHaveLength(1)
}

describe('a part is away for a while', () => {
  it.concurrent.for(rows)('behavior: %s', (row, { expect }) => play(row, expect))
  it.for(providerRows)('behavior: %s', (row, { expect }) => play(row, expect))
})
