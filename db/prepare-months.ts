import type pg from 'pg'
import { LOCK_TIMEOUT, whenUnlocked } from './apply-migrations.ts'

/** Rows whose keys are written in one statement: it takes some tenths of a second. */
const BATCH = 5_000

type Client = Pick<pg.Client, 'query'>

/** True if the journal is still one table with payments: then the change to months takes time, which must not be under a lock. */
export async function needsPreparation(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ waits: boolean }>(`select coalesce((select relkind = 'r' from pg_class
    where oid = to_regclass('payments')) and to_regclass('payment_keys') is not null, false) as waits`)
  if (rows[0]?.waits !== true) return false
  return (await client.query('select 1 from payments limit 1')).rows.length > 0
}

/**
 * Makes a filled journal ready for its partitions, while purchases continue: the keys of all payments in batches, the index of the new
 * primary key, and a checked bound that spares the first partition a scan. It may be cut anywhere and run again. The bound is at
 * least 20 days ahead; `dropBound` removes it when the change to months did not follow, since no payment can be claimed past it.
 */
export async function prepareMonths(client: Client, { batch = BATCH }: { batch?: number } = {}): Promise<void> {
  await fillKeys(client, batch)
  await buildIndex(client)
  await dropBound(client)
  const { rows } = await client.query<{ name: string; bound: string }>(`
    select 'payments_before_' || to_char(first, 'YYYY_MM') as name, to_char(first, 'YYYY-MM-DD') || ' 00:00:00+00' as bound
    from (select date_trunc('month', greatest(now() + interval '51 days', max(created_at) + interval '31 days')) as first from payments) m`)
  const [first] = rows
  if (first === undefined) throw new Error('the journal has no first month')
  const bound = `check (created_at < '${first.bound}')`
  await whenUnlocked(() => client.query(`alter table payments add constraint ${first.name} ${bound} not valid`))
  await whenUnlocked(() => client.query(`alter table payments validate constraint ${first.name}`))
}

/**
 * Triggers keep the keys of what changes meanwhile; locked rows cannot be deleted between the read and the write. A comment in
 * migration 0010 means this function by `db/fill-payment-keys.ts`: the text of an applied migration must not change.
 */
async function fillKeys(client: Client, batch: number): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await client.query<{ last: string }>(
      `with part as (
        select id, chain_id, asset, payer, nonce, tx_hash, inference_id, created_at from payments
        where id > $1::uuid order by id limit $2 for key share
      ), written as (
        insert into payment_keys (payment_id, chain_id, asset, payer, nonce, tx_hash, inference_id, created_at)
        select * from part on conflict (payment_id) do nothing
      )
      select id::text as last from part order by id desc limit 1`,
      [after, batch],
    )
    const [last] = rows
    if (last === undefined) return
    after = last.last
  }
}

/** Built beside the writers; an index that an earlier attempt left unfinished is built again. */
async function buildIndex(client: Client): Promise<void> {
  const name = 'payments_id_created_at_ready'
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  )
  if (rows[0]?.valid === true) return
  if (rows.length > 0) await client.query(`drop index concurrently ${name}`)
  await client.query('set lock_timeout = 0')
  await client.query(`create unique index concurrently ${name} on payments (id, created_at)`)
  await client.query(LOCK_TIMEOUT)
}

/** Removes the bound of a change to months that did not take place. */
export async function dropBound(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`select conname as name from pg_constraint
    where conrelid = (select oid from pg_class where oid = to_regclass('payments') and relkind = 'r') and conname ~ '^payments_before_'`)
  for (const { name } of rows) await whenUnlocked(() => client.query(`alter table payments drop constraint ${name}`))
}
