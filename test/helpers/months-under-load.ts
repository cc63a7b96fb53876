import { randomBytes, randomUUID } from 'node:crypto'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import pg from 'pg'
import { fill } from '../../bench/growth/generate.ts'
import { applyMigrations } from '../../db/apply-migrations.ts'
import { MIGRATIONS_FOLDER } from '../../db/migration-files.ts'
import { migrate } from '../../db/migrator.ts'

const BUYERS = 4

export interface ChangeFigures {
  purchases: number
  failed: unknown[]
  /** Of the service's own statements, ms. */
  slowestMs: number
  medianMs: number
  /** Of the whole `npm run db:migrate`, ms. */
  migrationMs: number
}

/** Fills the database as an earlier release would have left it, with `rows` ended purchases. */
export async function fillEarlierRelease(url: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const migrations = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER })
  const end = migrations.findIndex(({ sql }) =>
    sql.some((statement) => statement.includes('CREATE TABLE "payment_keys"')),
  )
  if (end < 1) throw new Error('no migration makes the keys')
  await applyMigrations(client, async () => undefined, migrations.slice(0, end))
  await client.query('reset lock_timeout')
  await fill(client, rows)
  await client.end()
}

/** Changes the journal to months while buyers buy, with the statements of the release before. */
export async function changeUnderLoad(url: string): Promise<ChangeFigures> {
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
  const began = performance.now()
  const migrationMs = await migrate(url)
    .then(() => performance.now() - began)
    .finally(() => {
      isOver = true
    })
  await Promise.all(buyers)
  times.sort((a, b) => a - b)
  return { purchases, failed, migrationMs, slowestMs: times.at(-1) ?? 0, medianMs: times[times.length >> 1] ?? 0 }
}

/** A purchase in the statements of the release before the keys: claim, replay, settled mark, record; a refused one is purged. */
async function purchase(client: pg.Client, times: number[]): Promise<void> {
  const run = async (text: string, values: unknown[]): Promise<void> => {
    const began = performance.now()
    const { rowCount } = await client.query(text, values)
    times.push(performance.now() - began)
    if (rowCount !== 1) throw new Error(`${rowCount} rows of: ${text}`)
  }
  const [id, inference, nonce] = [randomUUID(), randomUUID(), `0x${randomBytes(32).toString('hex')}`]
  const payer = `0x${(1000 + Math.floor(Math.random() * 1000)).toString(16).padStart(40, '0')}`
  const key = "chain_id = 8453 and asset = '0xaa' and payer = $1 and nonce = $2"
  await run(
    `with found as (select * from payments where ${key}), created as (
      insert into payments (id, chain_id, asset, payer, nonce, amount, request, request_hash, quote, "authorization", signature,
        signature_recovered, state, object_key, inference_id, next_attempt_at, lease_token, created_at, updated_at)
      select $3, 8453, '0xaa', $1, $2, 10000, '{"input":{"prompt":"a red bicycle"}}', '', '{}', '{}', '', true, 'settling', '', $4,
        now(), 'token', now(), now() where not exists (select 1 from found) returning *
    ) select * from created union all select * from found`,
    [payer, nonce, id, inference],
  )
  await run(`select * from payments where ${key}`, [payer, nonce])
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
