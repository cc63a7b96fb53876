import { type SQL, sql } from 'drizzle-orm'
import type { Database, Row } from '../client.ts'
import { at, json } from '../statement.ts'
import { type ClaimProof, PROVEN, paymentKey, proofParts, TAKES_NO_NONCE, takeNoncePart } from './challenge-nonces.ts'
import { type InferenceRecord, inferenceColumns, readInference } from './inference-row.ts'
import { isPayment, type Payment, type PaymentRef, paymentColumns, readPayment, type Terms } from './payment-row.ts'
import { countPaid, lockPayer, PAID_WINDOW_MS, recentlyPaid } from './payment-transitions.ts'

/** The columns that a first claim writes: everything needed to finish without the client. */
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
  /** This call's request, to replace an input that was dropped; null when its body is not valid. */
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

const full = (c: ClaimRequest): SQL =>
  c.limitPerMinute === null ? sql`false` : sql`(rate.used >= ${c.limitPerMinute}::int)`

/** A purchase is an authentication of its payer, who may be new. */
const seePayer = (
  c: ClaimRequest,
  kind: 'new' | 'reclaimed',
): SQL => sql`insert into users (address, created_at, last_seen_at)
      select ${c.payer}, ${at(c.now)}, ${at(c.now)} from go where kind = ${sql.raw(`'${kind}'`)}
      on conflict (address) do update set last_seen_at = greatest(users.last_seen_at, excluded.last_seen_at)`

/** Two cases of a verdict, where they apply: the proof is not good, and another payment has the identifier. */
const unproven = (c: ClaimRequest): SQL =>
  c.proof === null ? sql`` : sql`when (select how from proof) = 'used' then 'unproven'`
const identifierUsed = (c: ClaimRequest): SQL =>
  hasIdentifier(c) ? sql`when exists (select 1 from other) then 'identifier_used'` : sql``

/**
 * Claims an authorization that has no row yet. One that has a row is `known`, and then nothing is written: it is found by its key alone,
 * so that nothing is planned for the journal's months.
 */
function claimNew(c: ClaimRequest, fresh: NewPayment): SQL {
  return sql`with key as (
      select payment_id, created_at from payment_keys k where ${authorizationOf(c, 'k')}
    ), found as (
      select null::text as sign_in_nonce, null::boolean as signature_recovered where false
    ), ${commonParts(c)}verdict as (
      select case when exists (select 1 from key) then 'known' ${unproven(c)} ${identifierUsed(c)} when ${full(c)} then 'limited' else 'new' end as kind
      from rate
    ), ${goParts(c)}, buyer as (
      ${seePayer(c, 'new')}
    ), counted as (
      ${countPaid(c.payer, c.now, sql`from go where kind = 'new'`)}
    ), created as (
      insert into payments (id, chain_id, asset, payer, nonce, amount, request, request_hash, quote, "authorization", signature,
        signature_recovered, sign_in_nonce, payment_identifier, state, object_key, inference_id, next_attempt_at, lease_until, lease_token, created_at, updated_at)
      select ${fresh.id}::uuid, ${c.chainId}::int, ${c.asset}, ${c.payer}, ${c.nonce}, ${fresh.amountAtomic.toString()}::numeric,
        ${json(fresh.request)}, ${c.requestHash}, ${json(fresh.terms)}, ${json(fresh.authorization)}, ${fresh.signature},
        ${sql.raw(String(fresh.signatureRecovered))}, ${c.proof?.nonce ?? null}, ${c.identifier ?? null}, 'settling'::payment_state, ${fresh.objectKey}, ${fresh.inferenceId}::uuid,
        ${at(c.leaseUntil)}, ${at(c.leaseUntil)}, ${c.leaseToken}, ${at(c.now)}, ${at(c.now)}
      from go where kind = 'new' returning *
    ), present as (select * from created ${otherRow(c)})
    select go.kind, rate.oldest, key.payment_id::text as key_id, key.created_at as key_time, ${paymentColumns('p')}
    from go cross join rate left join key on true left join present p on true`
}

/** The verdict on a row that was there, decided in SQL from it and the wallet's recent claims. `gone` when it was purged meanwhile. */
function verdictOnKnown(c: ClaimRequest): SQL {
  const refused = sql.raw(String(c.fresh === null))
  return sql`select case when f.id is null then 'gone' ${unproven(c)}
      when f.request_hash <> ${c.requestHash} then 'other_request'
      when f.state = 'rejected' then case when ${refused} then 'rejected' ${identifierUsed(c)} when ${full(c)} then 'limited' else 'reclaimed' end
      when f.state in ('done', 'owed') then 'ended'
      when f.lease_until > ${at(c.now)} then 'busy'
      when f.state = 'settled' and f.next_attempt_at > ${at(c.now)} and f.reason is not null and f.request->'input' <> '{}' then 'waiting'
      else 'taken' end as kind
    from rate left join found f on true`
}

/** The parts that claim a rejected row again; without a fresh payment an empty selection. */
function reclaimParts(c: ClaimRequest, known: PaymentRef): SQL {
  const fresh = c.fresh
  if (fresh === null) return sql`reclaimed as (select * from found where false)`
  return sql`buyer as (
      ${seePayer(c, 'reclaimed')}
    ), counted as (
      ${countPaid(c.payer, c.now, sql`from go where kind = 'reclaimed'`)}
    ), reclaimed as (
      update payments p set state = 'settling', lease_token = ${c.leaseToken}, lease_until = ${at(c.leaseUntil)},
        next_attempt_at = ${at(c.leaseUntil)}, updated_at = ${at(c.now)}, reason = null, chain_checked_at = null, sent_tx_hash = null,
        amount = ${fresh.amountAtomic.toString()}::numeric, request = ${json(fresh.request)}, quote = ${json(fresh.terms)},
        "authorization" = ${json(fresh.authorization)}, signature = ${fresh.signature}, signature_recovered = ${sql.raw(String(fresh.signatureRecovered))},
        sign_in_nonce = coalesce(${c.proof?.nonce ?? null}, p.sign_in_nonce),
        payment_identifier = coalesce(${c.identifier ?? null}, p.payment_identifier)
      from go where go.kind = 'reclaimed' and ${isPayment('p', known)} returning p.*
    )`
}

/** Takes over, claims again or shows the row of a known authorization. Its time is a value, so one month is planned. */
function takeKnown(c: ClaimRequest, known: PaymentRef): SQL {
  return sql`with found as (
      select p.* from payments p where ${isPayment('p', known)} and ${authorizationOf(c, 'p')}
    ), ${commonParts(c)}verdict as (${verdictOnKnown(c)}), ${goParts(c)}, ${reclaimParts(c, known)}, taken as (
      update payments p set lease_token = ${c.leaseToken}, lease_until = ${at(c.leaseUntil)}, next_attempt_at = ${at(c.leaseUntil)},
        updated_at = ${at(c.now)}, request = ${restored(c)}
      from go where go.kind = 'taken' and ${isPayment('p', known)} returning p.*
    ), present as (
      select * from taken union all select * from reclaimed
      union all select * from found where not exists (select 1 from taken) and not exists (select 1 from reclaimed)
        and (select kind from go) <> 'identifier_used' ${otherRow(c)}
    )
    select go.kind, rate.oldest, ${paymentColumns('p')}, ${inferenceColumns('i')}
    from go cross join rate left join present p on true left join inferences i on i.id = p.inference_id`
}

/** The reads of both statements before their verdict: the proof, the wallet's recent claims and another payment's identifier. */
const commonParts = (c: ClaimRequest): SQL =>
  sql`${c.proof === null ? sql`` : sql`${proofParts(c.proof, paymentKey(c), c.fresh?.signatureRecovered ?? false, c.now)}, `}rate as (
      ${recentlyPaid(c.payer, c.now)}
    ), ${otherPart(c)}`

/** The verdict once the proof's nonce is this payment's: another call may have taken it since the verdict read it. */
function goParts(c: ClaimRequest): SQL {
  if (c.proof === null) return sql`go as (select kind from verdict)`
  return sql`${takeNoncePart(c.proof, paymentKey(c), c.now)}, go as (
      select case when kind in (${TAKES_NO_NONCE}) or ${PROVEN} then kind else 'unproven' end as kind from verdict
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

/** The row that `other` found, for those to whom it is shown. */
const otherRow = (c: ClaimRequest): SQL =>
  hasIdentifier(c) ? sql`union all select * from other where (select kind from go) = 'identifier_used'` : sql``

const refOf = (id: unknown, time: unknown): PaymentRef | null =>
  typeof id === 'string' ? { id, createdAt: new Date(String(time)) } : null

/** The row of this authorization, by its key. */
async function findKey(database: Database, claim: ClaimRequest): Promise<PaymentRef | null> {
  const [key] = await database.run(
    sql`select k.payment_id::text as id, k.created_at from payment_keys k where ${authorizationOf(claim, 'k')}`,
    { readOnly: true },
  )
  return key === undefined ? null : refOf(key['id'], key['created_at'])
}

const nothingFound = ({ limitPerMinute: limit, now }: ClaimRequest): ClaimResult => ({
  kind: 'refused',
  payment: null,
  record: null,
  windowEnds: null,
  limit,
  now,
})

/**
 * Looks the authorization up and claims it when it is new: one round trip, one transaction. The payer's advisory lock comes
 * first, in a statement by itself, because the loser of a race would otherwise see a snapshot older than the winner's row. One that
 * has a row takes a second transaction of that kind. A refused payment can write nothing new, so a look without the lock comes first,
 * and for most of them that is all.
 */
export async function claimPayment(database: Database, claim: ClaimRequest): Promise<ClaimResult> {
  // A row may be purged between the two statements: then the authorization is looked up once more.
  const result = (await lookUp(database, claim)) ?? (await lookUp(database, claim))
  if (result === null) throw new Error('the payment has a key and no row')
  return result
}

/** Null when the row was gone by the second statement. */
async function lookUp(database: Database, claim: ClaimRequest): Promise<ClaimResult | null> {
  const { fresh } = claim
  const first = fresh === null ? null : await underLock(database, claim, claimNew(claim, fresh))
  const known = first === null ? await findKey(database, claim) : refOf(first['key_id'], first['key_time'])
  if (known === null) return first === null ? nothingFound(claim) : resultOf(claim, first)
  const row = await underLock(database, claim, takeKnown(claim, known))
  return row['kind'] === 'gone' ? null : resultOf(claim, row)
}

async function underLock(database: Database, claim: ClaimRequest, statement: SQL): Promise<Row> {
  const [, rows] = await database.batch([lockPayer(claim.payer), statement])
  const row = rows?.[0]
  if (row === undefined) throw new Error('the claim statement returned no row')
  return row
}

function resultOf(claim: ClaimRequest, row: Row): ClaimResult {
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

/** The results of a statement; `refused` is decided without one. */
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
  'unproven',
]

function readKind(value: unknown): ClaimKind {
  const kind = kinds.find((candidate) => candidate === value)
  if (kind === undefined) throw new Error('the claim statement returned an unknown kind')
  return kind
}
