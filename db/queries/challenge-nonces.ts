import { sql } from 'drizzle-orm'
import type { Database } from '../client.ts'
import { at } from '../statement.ts'

/** The value that an unpaid call with a proof binds its nonce to, for ten minutes. `address` in lower case. */
export const requestKey = (request: { address: string; chainId: number; requestHash: string }): string =>
  `request ${request.chainId} ${request.address} ${request.requestHash}`

/**
 * Uses a challenge's nonce for an unpaid call, and sets when its user was last seen. The same call again binds nothing new. False when the nonce was used for anything
 * else: then nothing is written.
 */
export async function bindNonce(
  database: Database,
  binding: { nonce: string; address: string; boundTo: string; now: Date },
): Promise<boolean> {
  const now = at(binding.now)
  const rows = await database.run(sql`with bound as (
      insert into used_nonces (nonce, used_at, bound_to)
      values (${binding.nonce}, ${now}, ${binding.boundTo}) on conflict (nonce)
      do update set bound_to = excluded.bound_to where used_nonces.bound_to = excluded.bound_to returning nonce
    ), seen as (
      update users set last_seen_at = greatest(last_seen_at, ${now})
      where address = ${binding.address} and exists (select 1 from bound)
    )
    select nonce from bound`)
  return rows.length === 1
}

/** The proof that a paid call brings instead of a cookie. */
export interface ClaimProof {
  nonce: string
  /** A nonce that this request key holds may go over to this payment. */
  requestKey: string
  /** Those that count as well when the payment is a plain account's: it is the same wallet on every chain. */
  plainAccountKeys: readonly string[]
  /** Which calls may use a nonce that was never used: none, those that claim, or those that find their row too. */
  mayUseFresh: 'never' | 'to_claim' | 'always'
}
