import type pg from 'pg'

/** Every twentieth purchase is this wallet's. */
export const BIG_BUYER = '0x00000000000000000000000000000000000000b1'
const WALLETS = 10_000
const MODELS = [
  'black-forest-labs/flux-schnell',
  'stability-ai/stable-diffusion-3.5-medium',
  'meta/meta-llama-3-8b-instruct',
  'meta/musicgen',
]
const BATCH = 100_000

/** Fills an empty, migrated database with `total` ended purchases, one a second back from the start of 2026, as the worker leaves them. */
export async function fill(database: pg.Client, total: number): Promise<void> {
  await wallets(database)
  // Indexes built once over all rows take a fraction of the time of indexes that grow row by row.
  const restore = await dropKeysAndIndexes(database)
  await database.query('alter table payments disable trigger user')
  for (let first = 1; first <= total; first += BATCH) {
    await purchases(database, first, Math.min(total, first + BATCH - 1))
  }
  await database.query('alter table payments enable trigger user')
  await keys(database)
  await restore()
  await sums(database)
  // So that nothing of this is left to be done beside what is measured.
  await database.query('vacuum (analyze)')
  await database.query('checkpoint')
}

async function wallets(database: pg.Client): Promise<void> {
  await database.query(`insert into users (address) values ('${BIG_BUYER}')
    union all select '0x' || lpad(to_hex(w), 40, '0') from generate_series(1000, ${999 + WALLETS}) w`)
  await database.query(
    `insert into paid_rates (payer, recent) select address, array[timestamptz '2026-01-01'] from users`,
  )
}

async function dropKeysAndIndexes(database: pg.Client): Promise<() => Promise<void>> {
  const constraints =
    await database.query(`select conrelid::regclass as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where conrelid in ('payments'::regclass, 'inferences'::regclass) and contype in ('p', 'u', 'f')`)
  for (const { table, name } of constraints.rows) await database.query(`alter table ${table} drop constraint ${name}`)
  const indexes = await database.query(`select indexname as name, indexdef as definition from pg_indexes
    where tablename in ('payments', 'inferences')`)
  for (const { name } of indexes.rows) await database.query(`drop index ${name}`)
  return async () => {
    for (const { definition } of indexes.rows) await database.query(definition.replace(' ON ONLY ', ' ON '))
    for (const { table, name, definition } of constraints.rows) {
      await database.query(`alter table ${table} add constraint ${name} ${definition}`)
    }
  }
}

async function purchases(database: pg.Client, first: number, last: number): Promise<void> {
  const facts = `select n, md5('p' || n)::uuid as payment_id, md5('i' || n)::uuid as id, '0x' || md5('h' || n) || md5('g' || n) as hash,
      case when n % 20 = 0 then '${BIG_BUYER}' else '0x' || lpad(to_hex(1000 + n % ${WALLETS}), 40, '0') end as payer,
      (array['${MODELS.join("','")}'])[1 + n % ${MODELS.length}] as model, n % 50 <> 0 as ok,
      timestamptz '2026-01-01' - n * interval '1 second' as at from generate_series(${first}::int, ${last}::int) n`
  await database.query(`with made as (${facts}), paid as (
      insert into payments (id, chain_id, asset, payer, nonce, amount, request, request_hash, quote, "authorization", signature,
        signature_recovered, state, tx_hash, provider_prediction_id, object_key, inference_id, settled_at, created_at, updated_at)
      select payment_id, 8453, '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', payer, '0x' || md5('n' || n) || md5('m' || n), 10000,
        jsonb_build_object('task', 'text-to-image', 'model', model, 'input', jsonb_build_object('prompt', 'a red bicycle by the sea, number ' || n)),
        md5('r' || n) || md5('s' || n),
        jsonb_build_object('network', 'eip155:8453', 'payTo', '${BIG_BUYER}', 'domain', jsonb_build_object('name', 'USD Coin', 'version', '2'),
          'estimatedSeconds', '10', 'estimatedCostUsdc', '0.010000', 'effectiveRateUsdc', '0.001000000', 'discountPct', '0.00', 'stakedAic', '0'),
        jsonb_build_object('from', payer, 'to', '${BIG_BUYER}', 'value', '10000', 'validAfter', '0', 'validBefore', '1767225600', 'nonce', '0x' || md5('n' || n) || md5('m' || n)),
        '0x' || repeat(md5('v' || n), 4) || '1b', true, (case when ok then 'done' else 'owed' end)::payment_state, hash,
        md5('q' || n), 'i/' || id, id, at, at, at
      from made returning 1
    )
    insert into inferences (id, user_address, task_type, model, input, output_type, output_data, status, predict_time_ms, estimated_cost_usdc,
      actual_cost_usdc, payment_tx_hash, payment_chain_id, created_at, completed_at, error)
    select id, payer, 'text-to-image', model, jsonb_build_object('prompt', 'a red bicycle by the sea, number ' || n), 'image',
      case when ok then jsonb_build_object('urls', jsonb_build_array('https://cdn.example/i/' || id || '/0.webp')) end,
      (case when ok then 'succeeded' else 'failed' end)::inference_status, case when ok then 500 + n % 3000 end, 0.01, case when ok then 0.0012 end,
      hash, 8453, at, at, case when ok then null else jsonb_build_object('code', 'run_failed', 'detail', 'It failed.') end
    from made`)
}

/** As the journal's triggers write them. */
async function keys(database: pg.Client): Promise<void> {
  await database.query(`insert into payment_keys (payment_id, chain_id, asset, payer, nonce, tx_hash, inference_id, created_at)
    select id, chain_id, asset, payer, nonce, tx_hash, inference_id, created_at from payments`)
}

/** The last digit of an id, as a number: the part of a sum that it belongs to. */
const part = (id: string): string => `('x' || right(${id}::text, 1))::bit(4)::int::smallint`

async function sums(database: pg.Client): Promise<void> {
  await database.query(`insert into model_sum_parts select model, ${part('id')}, count(*) filter (where status = 'succeeded'), count(*) filter (where status = 'failed'),
    count(predict_time_ms), coalesce(sum(predict_time_ms), 0) from inferences group by 1, 2`)
  await database.query(
    `insert into day_sum_parts select (completed_at at time zone 'UTC')::date, ${part('id')}, count(*) from inferences group by 1, 2`,
  )
  await database.query(
    `insert into asset_sum_parts select chain_id, asset, ${part('id')}, sum(amount) from payments group by 1, 2, 3`,
  )
}
