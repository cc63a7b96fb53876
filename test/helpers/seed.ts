import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'

export interface SeedInference {
  id?: string
  /** Lower case. */
  owner: string
  createdAt: Date | string
  task?: 'text-to-image' | 'text-to-text' | 'text-to-sound'
  model?: string
  status?: 'pending' | 'succeeded' | 'failed'
  predictTimeMs?: number | null
  chainId?: number
  asset?: string
  amount?: string
  signatureRecovered?: boolean
  output?: unknown
  input?: Record<string, unknown>
  /** Paid and running: the journal has it, and `inferences` does not yet. */
  withoutRow?: boolean
}

const hex = (bytes: number): string =>
  `0x${randomUUID()
    .replaceAll('-', '')
    .repeat(2)
    .slice(0, bytes * 2)}`

/** One paid purchase as the journal and the inferences hold it; running sums are left alone. */
export async function seedInference(database: Database, seed: SeedInference): Promise<string> {
  const id = seed.id ?? randomUUID()
  const { owner, task = 'text-to-image', model = 'a/model', chainId = 84532, withoutRow = false } = seed
  const status = withoutRow ? 'pending' : (seed.status ?? 'succeeded')
  const createdAt = seed.createdAt instanceof Date ? seed.createdAt.toISOString() : seed.createdAt
  const at = sql`${createdAt}::timestamptz`
  const asset = seed.asset ?? '0x036cbd53842c5426634e7929541ec2318f3dcf7e'
  const [nonce, hash, amount] = [hex(32), hex(32), seed.amount ?? '10000']
  const request = { task, model, input: seed.input ?? { prompt: 'a red bicycle' } }
  const terms = {
    network: `eip155:${chainId}`,
    payTo: '0x000000000000000000000000000000000000dead',
    domain: { name: 'USDC', version: '2' },
    estimatedSeconds: '10',
    estimatedCostUsdc: '0.010000',
    effectiveRateUsdc: '0.001000000',
    discountPct: '0.00',
    stakedAic: '0.000000000000000000',
  }
  const authorization = {
    from: owner,
    to: terms.payTo,
    value: amount,
    validAfter: '0',
    validBefore: '4102444800',
    nonce,
  }
  const outputType = { 'text-to-image': 'image', 'text-to-text': 'text', 'text-to-sound': 'audio' }[task]
  const output = seed.output ?? (task === 'text-to-text' ? { text: 'a word' } : { urls: [`https://cdn.example/${id}`] })
  const failure = status === 'failed' ? JSON.stringify({ code: 'inference_failed', detail: 'It failed.' }) : null
  const state = { pending: 'settled', succeeded: 'done', failed: 'owed' }[status]
  await database.batch([
    sql`insert into users (address) values (${owner}) on conflict do nothing`,
    sql`insert into payments (id, chain_id, asset, payer, nonce, amount, request, request_hash, quote, "authorization", signature,
        signature_recovered, state, tx_hash, object_key, inference_id, created_at, updated_at)
      values (${randomUUID()}::uuid, ${chainId}::int, ${asset}, ${owner}, ${nonce}, ${amount}::numeric, ${JSON.stringify(request)}::jsonb,
        'hash', ${JSON.stringify(terms)}::jsonb, ${JSON.stringify(authorization)}::jsonb, '0x', ${sql.raw(String(seed.signatureRecovered ?? true))},
        ${state}::payment_state, ${hash}, 'i/key', ${id}::uuid, ${at}, ${at})`,
    sql`insert into inferences (id, user_address, task_type, model, input, output_type, output_data, status, predict_time_ms,
        estimated_cost_usdc, actual_cost_usdc, payment_tx_hash, payment_chain_id, created_at, completed_at, error)
      select ${id}::uuid, ${owner}, ${task}::task_type, ${model}, ${JSON.stringify(request.input)}::jsonb, ${outputType}::output_type,
        ${status === 'succeeded' ? JSON.stringify(output) : null}::jsonb, ${status}::inference_status,
        ${seed.predictTimeMs === undefined ? 1234 : seed.predictTimeMs}::int, '0.010000'::numeric,
        ${status === 'succeeded' ? '0.001234' : null}::numeric, ${hash}, ${chainId}::int, ${at},
        ${status === 'pending' ? null : createdAt}::timestamptz, ${failure}::jsonb where ${sql.raw(String(!withoutRow))}`,
  ])
  return id
}
