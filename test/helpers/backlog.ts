import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'

const TERMS = {
  network: 'eip155:84532',
  payTo: '0x000000000000000000000000000000000000dead',
  domain: { name: 'USDC', version: '2' },
  estimatedSeconds: '10',
  estimatedCostUsdc: '0.010000',
  effectiveRateUsdc: '0.001000000',
  discountPct: '0.00',
  stakedAic: '0.000000000000000000',
}
const REQUEST = { task: 'text-to-text', model: 'meta/meta-llama-3-8b-instruct', input: { prompt: 'one word' } }

/**
 * So many paid purchases as ten minutes without the provider leave them: tried after 0, 0.5, 1.5 and 6.5 minutes, the next try half an
 * hour after the last one. Settlement times are spread over a minute.
 */
export async function seedBacklog(database: Database, count: number, now: Date): Promise<void> {
  const buyer = '0x00000000000000000000000000000000000b0b0b'
  const authorization = { from: buyer, to: TERMS.payTo, value: '10000', validAfter: '0', validBefore: '4102444800' }
  const at = sql`${now.toISOString()}::timestamptz`
  await database.batch([
    sql`insert into users (address) values (${buyer}) on conflict do nothing`,
    sql`insert into payments (id, chain_id, asset, payer, nonce, amount, request, request_hash, quote, "authorization", signature,
        signature_recovered, state, tx_hash, object_key, inference_id, attempts, next_attempt_at, reason, settled_at, created_at, updated_at)
      select gen_random_uuid(), 84532, '0x036cbd53842c5426634e7929541ec2318f3dcf7e', ${buyer}, h.hash, 10000,
        ${JSON.stringify(REQUEST)}::jsonb, 'hash', ${JSON.stringify(TERMS)}::jsonb,
        ${JSON.stringify(authorization)}::jsonb || jsonb_build_object('nonce', h.hash), '0x', true, 'settled', h.hash, 'i/' || n,
        gen_random_uuid(), 4, ${at} + interval '26 minutes 30 seconds' + h.spread, 'provider_unavailable',
        ${at} - interval '10 minutes' + h.spread, ${at} - interval '10 minutes' + h.spread, ${at} - interval '210 seconds' + h.spread
      from generate_series(1, ${count}::int) as n
      cross join lateral (select '0x' || repeat(md5(n::text), 2) as hash, n % 60 * interval '1 second' as spread) as h`,
  ])
}

/** Counts that must be one for each purchase. */
export async function countFinished(database: Database): Promise<{ done: number; records: number }> {
  const [row] = await database.run(sql`select (select count(*) from payments where state = 'done')::int as done,
    (select count(*) from inferences where status = 'succeeded')::int as records`)
  return { done: Number(row?.['done']), records: Number(row?.['records']) }
}
