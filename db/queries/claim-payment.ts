import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../client.ts'
import { at, json } from '../statement.ts'
import { type ClaimProof, PROVEN, paymentKey, proofParts, takeNoncePart } from './challenge-nonces.ts'
import { type InferenceRecord, inferenceColumns, readInference } from './inference-row.ts'
import { countPaid, lockPayer, PAID_WINDOW_MS, recentlyPaid } from './paid-rate.ts'
import { keyedPayments, type Payment, paymentColumns, readPayment, type Terms } from './payment-row.ts'

/** What a first claim writes: everything that is needed to finish without the client. */
export interface NewPayment {
  id: string
  inferenceId: string
  objectKey: string
  amountAtomic: bigint
  request: Payment['request']
  terms: Terms
  authorization: Payment['authorization']
  signature: string
  signatureRecovered: boolean
}

export interface ClaimRequest {
  chainId: number
  /** Lower case, like `payer` and `nonce`. */
  asset: string
  payer: string
  nonce: string
  requestHash: string
  /** What this call asks for, to replace an input that was dropped; null when its body is not valid. */
  request?: Payment['request'] | null
  /** The buyer's own name for this payment; a new claim keeps it. */
  identifier?: string | null
  /** Null when something refuses this payment: then nothing new is written, what is there is still found. */
  fresh: NewPayment | null
  leaseToken: string
  now: Date
  leaseUntil: Date
  /** How the caller proved its wallet for this one request; null for a session's cookie. */
  proof: ClaimProof | null
  /** New claims a wallet may make per minute; null for no limit. */
  limitPerMinute: number | null
}

/**
 * `new`, `reclaimed` (rejected before) and `taken` (another driver's lease is over) give the caller the lease; `busy` has a
 * driver; `waiting` is settled, a try failed and the next is due later; `ended` has its record; `other_request` belongs to another body;
 * `identifier_used`: another payment of this wallet has the same identifier, and is the one returned;
 * `rejected` stays so; `limited` and `refused` found nothing and wrote nothing; `unproven` means that the proof is not good for this
 * payment: nothing was written, and a row that was found belongs to no one yet.
 */
export type ClaimKind =
  | 'new'
  | 'reclaimed'
  | 'taken'
  | 'busy'
  | 'waiting'
  | 'ended'
  | 'other_request'
  | 'identifier_used'
  | 'rejected'
  | 'limited'
  | 'refused'
  | 'unproven'

export interface ClaimResult {
  kind: ClaimKind
  payment: Payment | null
  record: InferenceRecord | null
  /** For `limited`: when the oldest claim of the window leaves it. */
  windowEnds: Date | null
  limit: number | null
  now: Date
}

/** Which of the kinds it is, decided in SQL from the row found and the wallet's recent claims. */
function verdict(c: ClaimRequest): SQL {
  const full = c.limitPerMinute === null ? sql`false` : sql`(rate.used >= ${c.limitPerMinute}::int)`
  const refused = sql.raw(String(c.fresh === null))
  const used = hasIdentifier(c) ? sql`when exists (select 1 from other) then 'identifier_used'` : sql``
  const unproven = c.proof === null ? sql`` : sql`when (select how from proof) = 'used' then 'unproven'`
  return sql`select case ${unproven}
      when f.id is null then case when ${refused} then 'refused' ${used} when ${full} then 'limited' else 'new' end
      when f.request_hash <> ${c.requestHash} then 'other_request'
      when f.state = 'rejected' then case when ${refused} then 'rejected' ${used} when ${full} then 'limited' else 'reclaimed' end
      when f.state in ('done', 'owed') then 'ended'
      when f.lease_until > ${at(c.now)} then 'busy'
      when f.state = 'settled' and f.next_attempt_at > ${at(c.now)} and f.reason is not null and f.request->'input' <> '{}' then 'waiting'
      else 'taken' end as kind
    from (select 1) as one left join found f on true cross join rate`
}

/** The parts that write something new; without a fresh payment they are empty selections. */
function freshParts(c: ClaimRequest): SQL {
  const fresh = c.fresh
  if (fresh === null) {
    return sql`created as (select * from payments where false), reclaimed as (select * from payments where false)`
  }
  const recovered = sql.raw(String(fresh.signatureRecovered))
  return sql`buyer as (
      insert into users (address, created_at, last_seen_at) select ${c.payer}, ${at(c.now)}, ${at(c.now)} from go where kind = 'new'
      on conflict do nothing
    ), counted as (
      ${countPaid(c.payer, c.now, sql`from go where kind in ('new', 'reclaimed')`)}
    ), created as (
      insert into payments (id, chain_id, asset, payer, nonce, amount, request, request_hash, quote, "authorization", signature,
        signature_recovered, sign_in_nonce, payment_identifier, state, object_key, inference_id, next_attempt_at, lease_until, lease_token, created_at, updated_at)
      select ${fresh.id}::uuid, ${c.chainId}::int, ${c.asset}, ${c.payer}, ${c.nonce}, ${fresh.amountAtomic.toString()}::numeric,
        ${json(fresh.request)}, ${c.requestHash}, ${json(fresh.terms)}, ${json(fresh.authorization)}, ${fresh.signature},
        ${recovered}, ${c.proof?.nonce ?? null}, ${c.identifier ?? null}, 'settling'::payment_state, ${fresh.objectKey}, ${fresh.inferenceId}::uuid,
        ${at(c.leaseUntil)}, ${at(c.leaseUntil)}, ${c.leaseToken}, ${at(c.now)}, ${at(c.now)}
      from go where kind = 'new' returning *
    ), reclaimed as (
      update payments p set state = 'settling', lease_token = ${c.leaseToken}, lease_until = ${at(c.leaseUntil)},
        next_attempt_at = ${at(c.leaseUntil)}, updated_at = ${at(c.now)}, reason = null, chain_checked_at = null, sent_tx_hash = null,
        amount = ${fresh.amountAtomic.toString()}::numeric, request = ${json(fresh.request)}, quote = ${json(fresh.terms)},
        "authorization" = ${json(fresh.authorization)}, signature = ${fresh.signature}, signature_recovered = ${recovered},
        sign_in_nonce = coalesce(${c.proof?.nonce ?? null}, p.sign_in_nonce),
        payment_identifier = coalesce(${c.identifier ?? null}, p.payment_identifier)
      from go where go.kind = 'reclaimed' and ${isFound} returning p.*
    )`
}

/** The verdict once the proof's nonce is this payment's: another call may have taken it since the verdict read it. */
function goParts(c: ClaimRequest): SQL {
  if (c.proof === null) return sql`go as (select kind from verdict)`
  return sql`${takeNoncePart(c.proof, paymentKey(c), c.now)}, go as (
      select case when kind in ('refused', 'limited') or ${PROVEN} then kind else 'unproven' end as kind from verdict
    )`
}

/** The request of a row that is taken over: this call's own where the input was dropped. */
const restored = ({ request = null }: ClaimRequest): SQL =>
  request === null ? sql`p.request` : sql`case when p.request->'input' = '{}' then ${json(request)} else p.request end`

function authorizationOf(c: ClaimRequest, table: 'k' | 'p'): SQL {
  const column = (name: string): SQL => sql.raw(`${table}.${name}`)
  return sql`${column('chain_id')} = ${c.chainId}::int and ${column('asset')} = ${c.asset}
    and ${column('payer')} = ${c.payer} and ${column('nonce')} = ${c.nonce}`
}

/** The row of `found`; its time, read first, leaves one month to look in. */
const isFound = sql.raw('p.id = (select id from found) and p.created_at = (select created_at from found)')

const hasIdentifier = ({ identifier = null }: ClaimRequest): boolean => identifier !== null

/** Another payment of this wallet with this identifier, unless it was rejected. The payer's lock keeps two calls from missing each other. */
const otherPart = (c: ClaimRequest): SQL =>
  hasIdentifier(c)
    ? sql`other as (
      select * from payments p where p.payer = ${c.payer} and p.payment_identifier = ${c.identifier ?? null} and p.state <> 'rejected'
        and (p.signature_recovered or p.chain_id = ${c.chainId}::int) and not (${authorizationOf(c, 'p')})
      order by p.created_at desc limit 1
    ), `
    : sql``

async function exists(database: Database, claim: ClaimRequest): Promise<boolean> {
  const rows = await database.run(sql`select 1 as found from payment_keys k where ${authorizationOf(claim, 'k')}`, {
    readOnly: true,
  })
  return rows.length > 0
}

const nothingFound = ({ limitPerMinute: limit, now }: ClaimRequest): ClaimResult => ({
  kind: 'refused',
  payment: null,
  record: null,
  windowEnds: null,
  limit,
  now,
})

function claimStatement(c: ClaimRequest): SQL {
  return sql`with found as (
      select p.* from ${keyedPayments} where ${authorizationOf(c, 'k')}
    ), ${c.proof === null ? sql`` : sql`${proofParts(c.proof, paymentKey(c), c.fresh?.signatureRecovered ?? false, c.now)}, `}rate as (
      ${recentlyPaid(c.payer, c.now)}
    ), ${otherPart(c)}verdict as (${verdict(c)}), ${goParts(c)}, ${freshParts(c)}, taken as (
      update payments p set lease_token = ${c.leaseToken}, lease_until = ${at(c.leaseUntil)}, next_attempt_at = ${at(c.leaseUntil)},
        updated_at = ${at(c.now)}, request = ${restored(c)}
      from go where go.kind = 'taken' and ${isFound} returning p.*
    ), present as (
      select * from created union all select * from taken union all select * from reclaimed
      union all select * from found where not exists (select 1 from taken) and not exists (select 1 from reclaimed)
        ${hasIdentifier(c) ? sql`and (select kind from go) <> 'identifier_used' union all select * from other where (select kind from go) = 'identifier_used'` : sql``}
    )
    select go.kind, rate.oldest, ${paymentColumns('p')}, ${inferenceColumns('i')}
    from go cross join rate left join present p on true left join inferences i on i.id = p.inference_id`
}

/**
 * Looks the authorization up and claims it when it is new: one round trip, one transaction. The payer's advisory lock comes
 * first, in a statement by itself, because the loser of a race would otherwise see a snapshot older than the winner's row. A
 * refused payment can write nothing new, so a look without the lock comes first, and for most of them that is all.
 */
export async function claimPayment(database: Database, claim: ClaimRequest): Promise<ClaimResult> {
  if (claim.fresh === null && !(await exists(database, claim))) return nothingFound(claim)
  const [, rows] = await database.batch([lockPayer(claim.payer), claimStatement(claim)])
  const row = rows?.[0]
  if (row === undefined) throw new Error('the claim statement returned no row')
  const oldest = row['oldest']
  return {
    kind: readKind(row['kind']),
    payment: readPayment(row),
    record: readInference(row),
    limit: claim.limitPerMinute,
    now: claim.now,
    windowEnds:
      typeof oldest === 'string' || oldest instanceof Date
        ? new Date(new Date(oldest).getTime() + PAID_WINDOW_MS)
        : null,
  }
}

const kinds: readonly ClaimKind[] = [
  'new',
  'reclaimed',
  'taken',
  'busy',
  'waiting',
  'ended',
  'other_request',
  'identifier_used',
  'rejected',
  'limited',
  'refused',
  'unproven',
]

function readKind(value: unknown): ClaimKind {
  const kind = kinds.find((candidate) => candidate === value)
  if (kind === undefined) throw new Error('the claim statement returned an unknown kind')
  return kind
}
