import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../client.ts'
import { at } from '../statement.ts'

/** How long a nonce that an unpaid call bound may be used by the payment for the same request. */
const BOUND_MS = 10 * 60_000

/** The value that an unpaid call with a proof binds its nonce to. `address` in lower case. */
export const requestKey = (request: { address: string; chainId: number; requestHash: string }): string =>
  `request ${request.chainId} ${request.address} ${request.requestHash}`

/** The value that a nonce is bound to once a payment used it. All in lower case. */
export const paymentKey = (payment: { chainId: number; asset: string; payer: string; nonce: string }): string =>
  `payment ${payment.chainId} ${payment.asset} ${payment.payer} ${payment.nonce}`

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

/**
 * The parts of the claim statement that look at the proof: `proof.how` is `kept` (this payment used the nonce before), `bound`
 * (an unpaid call of the same wallet and request did), `fresh` or `used`. They read the part `found`.
 */
export function proofParts(proof: ClaimProof, key: string, isPlainAccount: boolean, now: Date): SQL {
  const fresh = {
    never: sql`false`,
    to_claim: sql`not exists (select 1 from found)`,
    always: sql`true`,
  }[proof.mayUseFresh]
  const plain = sql`coalesce((select signature_recovered from found), ${sql.raw(String(isPlainAccount))})`
  return sql`nonce_use as (select bound_to, used_at from used_nonces where nonce = ${proof.nonce}),
    proof as (select case
      when exists (select 1 from found f where f.sign_in_nonce = ${proof.nonce}) then 'kept'
      when exists (select 1 from nonce_use where bound_to = ${key}) then 'kept'
      when exists (select 1 from nonce_use where (bound_to = ${proof.requestKey} or (bound_to in (${keys(proof)}) and ${plain}))
        and used_at > ${at(new Date(now.getTime() - BOUND_MS))}) then 'bound'
      when not exists (select 1 from nonce_use) and ${fresh} then 'fresh'
      else 'used' end as how)`
}

/** Verdicts of calls that write nothing, whatever their proof. */
export const TAKES_NO_NONCE = sql.raw(`'limited', 'known', 'gone'`)

/**
 * The part `nonce_taken`: assigns the nonce to this payment, unless another took it in the meantime. It reads `verdict`, and takes
 * nothing for a call that claims and finds nothing.
 */
export const takeNoncePart = (proof: ClaimProof, key: string, now: Date): SQL =>
  sql`nonce_taken as (
      insert into used_nonces (nonce, used_at, bound_to)
      select ${proof.nonce}, ${at(now)}, ${key} from verdict cross join proof
      where proof.how in ('fresh', 'bound') and verdict.kind not in (${TAKES_NO_NONCE}, 'unproven')
      on conflict (nonce) do update set bound_to = excluded.bound_to where used_nonces.bound_to in (${keys(proof)})
      returning nonce
    )`

/** True in SQL when the proof holds for this payment, after `nonce_taken`. */
export const PROVEN = sql`(select proof.how = 'kept' or exists (select 1 from nonce_taken) from proof)`

const keys = ({ requestKey, plainAccountKeys }: ClaimProof): SQL =>
  sql.join(
    [requestKey, ...plainAccountKeys].map((key) => sql`${key}`),
    sql`, `,
  )
