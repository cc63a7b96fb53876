import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { fill } from '../../bench/growth/generate.ts'
import { migrate } from '../../db/migrator.ts'

const BUYERS = 4

export interface MonthFigures {
  purchases: number
  failed: unknown[]
  /** Of the purchases' statements, ms. */
  slowestMs: number
  medianMs: number
  /** The longest time that it took to make one month, ms. */
  monthMs: number
}

/** Fills a new database with `rows` ended purchases, all from before the month it is made in. */
export async function fillJournal(url: string, rows: number): Promise<void> {
  await migrate(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await fill(client, rows)
  await client.end()
}

/** Makes `count` more months, one after the other as the scheduled job does, while buyers buy. */
export async function makeMonthsUnderLoad(url: string, count: number): Promise<MonthFigures> {
  const times: number[] = []
  const failed: unknown[] = []
  let purchases = 0
  let isOver = false
  const buyers = Array.from({ length: BUYERS }, async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    while (!isOver) {
      try {
        await purchase(client, times)
        purchases += 1
      } catch (error) {
        failed.push(error)
      }
    }
    await client.end()
  })
  const months = await makeEach(url, count).finally(() => {
    isOver = true
  })
  await Promise.all(buyers)
  times.sort((a, b) => a - b)
  return { purchases, failed, slowestMs: times.at(-1) ?? 0, medianMs: times[times.length >> 1] ?? 0, monthMs: months }
}

/** Returns how long the slowest month took, ms. */
async function makeEach(url: string, count: number): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let slowestMs = 0
  for (let n = 3; n < 3 + count; n++) {
    const began = performance.now()
    await client.query('select make_payment_months((now() + make_interval(months => $1))::date, 0)', [n])
    slowestMs = Math.max(slowestMs, performance.now() - began)
  }
  await client.end()
  return slowestMs
}

/** A purchase in the order of its statements: claim, replay, settled mark, record; one in ten is removed as a refused one is. */
async function purchase(client: pg.Client, times: number[]): Promise<void> {
  const run = async (text: string, values: unknown[]): Promise<void> => {
    const began = performance.now()
    const { rowCount } = await client.query(text, values)
    times.push(performance.now() - began)
    if (rowCount !== 1) throw new Error(`${rowCount} rows of: ${text}`)
  }
  const [id, inference, nonce] = [randomUUID(), randomUUID(), `0x${randomBytes(32).toString('hex')}`]
  const payer = `0x${(1000 + Math.floor(Math.random() * 1000)).toString(16).padStart(40, '0')}`
  const found = `select p.* from payment_keys k join payments p on p.id = k.payment_id and p.created_at = k.created_at
    where k.chain_id = 8453 and k.asset = '0xaa' and k.payer = $1 and k.nonce = $2`
  await run(
    `with found as (${found}), created as (
      insert into payments (id, chain_id, asset, payer, nonce, amount, request, request_hash, quote, "authorization", signature,
        signature_recovered, state, object_key, inference_id, next_attempt_at, lease_token, created_at, updated_at)
      select $3, 8453, '0xaa', $1, $2, 10000, '{"input":{"prompt":"a red bicycle"}}', '', '{}', '{}', '', true, 'settling', '', $4,
        now(), 'token', now(), now() where not exists (select 1 from found) returning *
    ) select * from created union all select * from found`,
    [payer, nonce, id, inference],
  )
  await run(found, [payer, nonce])
  if (Math.random() < 0.1) return run('delete from payments where id = $1', [id])
  await run("update payments set state = 'settled', tx_hash = $2 where id = $1 and lease_token = 'token' returning *", [
    id,
    `0x${randomBytes(32).toString('hex')}`,
  ])
  await run(
    `with source as (update payments set state = 'done', lease_token = null, next_attempt_at = null where id = $1 and state = 'settled' returning *)
    insert into inferences (id, user_address, task_type, model, input, output_type, status, estimated_cost_usdc, payment_tx_hash, created_at)
    select inference_id, payer, 'text-to-text', 'meta/musicgen', '{}', 'text', 'succeeded', 0.01, tx_hash, created_at from source`,
    [id],
  )
}
