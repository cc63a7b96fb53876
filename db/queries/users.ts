import { sql } from 'drizzle-orm'
import type { Database } from '../client.ts'
import { at } from './values.ts'

/**
 * Uses a sign-in nonce up and writes the user, in one statement. False when the nonce was used before: then nothing is written.
 * `address` is lower case; `created_at` is set at the first sign-in only.
 */
export async function useNonceAndSeeUser(
  database: Database,
  signIn: { nonce: string; address: string; now: Date },
): Promise<boolean> {
  const now = at(signIn.now)
  const rows = await database.run(sql`with used as (
      insert into used_nonces (nonce, used_at) values (${signIn.nonce}, ${now}) on conflict do nothing returning nonce
    )
    insert into users (address, created_at, last_seen_at) select ${signIn.address}, ${now}, ${now} from used
    on conflict (address) do update set last_seen_at = excluded.last_seen_at
    returning address`)
  return rows.length === 1
}
