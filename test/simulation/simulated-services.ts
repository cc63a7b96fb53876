import { type Database, DatabaseUnavailable, type Row } from '../../db/client.ts'
import { fromServerReport, repeatRolledBack } from '../../db/errors.ts'
import { type Chain, ChainUnavailable } from '../../worker/upstreams/chain/chain.ts'
import type { Facilitator, SettleOutcome, VerifyOutcome } from '../../worker/upstreams/facilitator/facilitator.ts'
import { type ObjectStore, StorageUnavailable } from '../../worker/upstreams/store/object-store.ts'
import { NONCE_USED_REASON, SIGNATURE_REASON } from '../../worker/x402/authorization.ts'
import type { Authorization } from '../../worker/x402/schemas.ts'
import { trackActivity } from '../helpers/virtual-time.ts'
import type { Engine } from './engine.ts'
import { type FaultKind, SITUATIONS } from './faults.ts'
import type { Ledger } from './ledger.ts'

/** The facilitator's reason for a node's error, whether the node took the transaction or not. */
const SEND_FAILED_REASON = 'invalid_transaction_state'
const VALID_BEFORE_REASON = 'invalid_exact_evm_payload_authorization_valid_before'

/** Why the chain would not accept an authorization now, in a facilitator's words. */
function refusalOf(ledger: Ledger, { from, nonce, validBefore }: Authorization): string | null {
  if (ledger.find({ payer: from, nonce }) !== undefined) return NONCE_USED_REASON
  return ledger.headTime().getTime() >= Number(validBefore) * 1000 ? VALID_BEFORE_REASON : null
}

/** The facilitator's answer to `/verify`, with its fault. */
async function verify(
  engine: Engine,
  ledger: Ledger,
  fault: FaultKind | null,
  authorization: Authorization,
): Promise<VerifyOutcome> {
  if (fault === 'unavailable') return { kind: 'unavailable', detail: 'status 503' }
  if (fault === 'refuses') return { kind: 'invalid', reason: 'insufficient_funds' }
  if (fault === 'RPC outage as bad signature') return { kind: 'invalid', reason: SIGNATURE_REASON }
  if (fault === 'nonce-used for nothing') return { kind: 'invalid', reason: NONCE_USED_REASON }
  if (fault === 'times out') {
    await engine.wait(5_000)
    return { kind: 'unavailable', detail: 'no answer within 5000 ms' }
  }
  if (fault === 'slow') await engine.wait(4_000)
  const reason = refusalOf(ledger, authorization)
  return reason === null ? { kind: 'valid' } : { kind: 'invalid', reason }
}

/** Sends the transfer to the chain and returns the transaction's hash. */
function broadcast(
  engine: Engine,
  ledger: Ledger,
  fault: FaultKind | null,
  authorization: Authorization,
): `0x${string}` {
  const answeredNo = fault === 'says no before it is mined'
  const by = { kind: 'facilitator', caller: engine.callerNow(), moment: engine.moment(), answeredNo } as const
  if (fault === 'batched') return ledger.submitInBatch(authorization, by)
  const delays: Partial<Record<FaultKind, number>> = {
    'mined late': 35_000,
    pending: 25_000,
    'says no before it is mined': 15_000,
    'dropped from the mempool': Infinity,
  }
  return ledger.submit(authorization, by, (fault !== null && delays[fault]) || 0)
}

/** The facilitator as one worker process reaches it. With `waitsForBlocks` it says `settled` only of mined transfers. */
export function makeFacilitatorPort(
  engine: Engine,
  ledger: Ledger,
  owner: number,
  options: { waitsForBlocks: boolean; onSettle(authorization: Authorization): void },
): Facilitator {
  async function settle(fault: FaultKind | null, authorization: Authorization): Promise<SettleOutcome> {
    if (fault === 'refuses') return { kind: 'refused', reason: 'insufficient_funds' }
    if (fault === 'nonce-used for nothing') return { kind: 'unknown', reason: NONCE_USED_REASON }
    if (fault === '5xx before broadcast') return { kind: 'unknown', reason: 'status 502' }
    if (fault === 'times out before broadcast') {
      await engine.wait(30_000)
      return { kind: 'unknown', reason: 'no answer within 30000 ms' }
    }
    if (fault === 'slow') await engine.wait(20_000)
    const reason = refusalOf(ledger, authorization)
    if (reason === NONCE_USED_REASON) return { kind: 'unknown', reason }
    if (reason !== null) return { kind: 'refused', reason }
    if (ledger.isWaiting(authorization)) return { kind: 'unknown', reason: 'duplicate_settlement' }
    const transaction = broadcast(engine, ledger, fault, authorization)
    engine.note(`facilitator broadcasts ${authorization.nonce.slice(-4)}`)
    if (fault === '5xx after broadcast') return { kind: 'unknown', reason: 'status 504' }
    if (fault === 'garbage after broadcast') return { kind: 'unknown', reason: 'status 200: <html>' }
    if (fault === 'pending') return { kind: 'unknown', reason: 'settlement_pending', transaction }
    if (fault === 'times out after broadcast') {
      await engine.wait(30_000)
      return { kind: 'unknown', reason: 'no answer within 30000 ms' }
    }
    if (fault === 'says no before it is mined') return { kind: 'refused', reason: SEND_FAILED_REASON }
    if (ledger.isReverted(transaction)) {
      engine.hit(SITUATIONS.reverted)
      return { kind: 'unknown', reason: 'transaction_reverted', transaction }
    }
    const isMined = ledger.find({ payer: authorization.from, nonce: authorization.nonce }) !== undefined
    if (fault === 'pending though it was mined') return { kind: 'unknown', reason: 'settlement_pending' }
    if (fault === 'says no though it was mined') {
      return isMined
        ? { kind: 'refused', reason: SEND_FAILED_REASON }
        : { kind: 'unknown', reason: 'settlement_pending' }
    }
    if (options.waitsForBlocks && !isMined) return { kind: 'unknown', reason: 'settlement_pending', transaction }
    return { kind: 'settled', transaction }
  }

  return {
    supportedNetworks: async () => new Set(['eip155:84532']),
    verify: ({ payload }) =>
      engine.call(owner, 'verify', (fault) => verify(engine, ledger, fault, payload.authorization)),
    settle: ({ payload }) =>
      engine.call(owner, 'settle', (fault) => {
        options.onSettle(payload.authorization)
        return settle(fault, payload.authorization)
      }),
  }
}

/** The chain as one worker process reads it. */
export function makeChainPort(engine: Engine, ledger: Ledger, owner: number): Chain {
  const read = <T>(value: () => T): Promise<T> =>
    engine.call(owner, 'chain', async (fault) => {
      if (fault === 'down') throw new ChainUnavailable('the RPC did not answer')
      if (fault === 'slow') await engine.wait(8_000)
      return value()
    })
  return {
    hasCode: () => read(() => false),
    isContract: () => read(() => false),
    authorizationStatus: (query) =>
      read(() => ({ spent: ledger.find(query) !== undefined, blockTime: ledger.headTime() })),
    authorizationOutcome: (query, since, until) => read(() => ledger.outcomeOf(query, since, until)),
    isReverted: (_chainId, transaction) => read(() => ledger.isReverted(transaction)),
    transferIn: (query, transaction) => read(() => ledger.transferIn(query, transaction)),
    verifyMessage: async () => false,
    verifyTypedData: async () => false,
    isPayableToken: async () => false,
    tokenName: async () => 'USDC',
    balanceOf: async () => 0n,
    stakedBalance: async () => 0n,
    totalBurned: async () => 0n,
  }
}

/** The stored bodies, by key. */
export type Objects = Map<string, { contentType: string; length: number }>

export function makeStorePort(engine: Engine, objects: Objects, owner: number): ObjectStore {
  return {
    put: (key, body, { contentType, length }) =>
      engine.call(owner, 'put', async (fault) => {
        if (fault === 'down') throw new StorageUnavailable('no answer')
        if (fault === 'slow') await engine.wait(9_000)
        if (!(body instanceof Uint8Array)) await trackActivity(new Response(body).arrayBuffer())
        objects.set(key, { contentType, length })
        if (fault === 'answer lost') throw new StorageUnavailable('no answer')
      }),
    head: (key) =>
      engine.call(owner, 'head', async (fault) => {
        if (fault === 'down') throw new StorageUnavailable('no answer')
        return objects.get(key) ?? null
      }),
    sha256: (key) => engine.call(owner, 'head', async () => (objects.has(key) ? '00'.repeat(32) : null)),
    open: async () => null,
    // No schedule shares a result.
    copy: async () => false,
    delete: async () => undefined,
    publicUrl: (key) => `https://cdn.example/${key}`,
    check: async () => undefined,
  }
}

/** The schedule's faults of the database, and who sees its rows. */
export interface DatabaseWatch {
  isDatabaseDown(): boolean
  isReadOnly(): boolean
  /** Receives the rows of every call that took effect. */
  onEffect(rows: readonly Row[]): void
  /** Receives the rows of every call whose answer reached the worker. */
  onAnswer(rows: readonly Row[]): void
}

/** Reports of the server that a call meets before it takes effect, one per try. */
const REPORTS: Partial<Record<FaultKind, readonly string[]>> = {
  'rolled back once (40001)': ['40001'],
  'rolled back twice (40P01)': ['40P01', '40P01'],
  'read-only (25006)': ['25006', '25006'],
}

const serverError = (code: string): Error => fromServerReport({ code, message: 'the statement was not executed' })

/** The database as one worker process reaches it. */
export function makeDatabasePort(engine: Engine, database: Database, owner: number, watch: DatabaseWatch): Database {
  /** Tries as a driver does: once more after a rollback. */
  async function attempt<T>(work: () => Promise<T>, fault: FaultKind | null): Promise<T> {
    const codes = [...((fault === null ? undefined : REPORTS[fault]) ?? [])]
    return repeatRolledBack(async () => {
      const code = codes.shift()
      if (code !== undefined) throw serverError(code)
      return work()
    })
  }

  const ask = <T>(work: () => Promise<T>, rowsOf: (result: T) => readonly Row[], isRead = false): Promise<T> =>
    engine.call(owner, 'database', async (fault) => {
      if (watch.isDatabaseDown()) throw new DatabaseUnavailable('it is away')
      if (!isRead && watch.isReadOnly()) throw serverError('25006')
      if (fault === 'fails before it takes effect') throw new DatabaseUnavailable('it cannot be reached')
      if (fault === 'slow') await engine.wait(6_000)
      const result = await trackActivity(attempt(work, fault))
      watch.onEffect(rowsOf(result))
      if (fault === 'fails after it took effect') throw new DatabaseUnavailable('its answer was lost')
      watch.onAnswer(rowsOf(result))
      return result
    })
  return {
    run: (statement, options) =>
      ask(
        () => database.run(statement, options),
        (rows) => rows,
        options?.readOnly,
      ),
    batch: (statements, options) =>
      ask(
        () => database.batch(statements, options),
        (batches) => batches.flat(),
        options?.readOnly,
      ),
  }
}
