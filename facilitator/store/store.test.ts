import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../test/helpers/postgres.ts'
import { makeMemoryStore } from './memory-store.ts'
import { makePgStore, type PgSettlementStore } from './pg-store.ts'
import type { Entry, Outcome, SentTransaction, SettlementStore } from './store.ts'

const NETWORK = 'eip155:31337'
const SIGNER = '0x51'
const PAYER = '0xaa'
const OTHER = '0xbb'
const NOW = new Date('2026-01-01T12:00:00Z')
const later = (seconds: number) => new Date(NOW.getTime() + 1_000 * seconds)
const LONG_AGO = later(-3_600)

let count = 0
/** An entry under an authorization that no other entry has. */
function entry(change: Partial<Entry> = {}): Entry {
  count += 1
  const facts = { network: NETWORK, asset: '0x05dc', payer: PAYER, value: 2n ** 200n, signature: '0x77' } as const
  const key = `authorization ${String(count).padStart(6, '0')}`
  return { key, ...facts, gas: 100_000n, isTrial: false, endedAt: null, ...change }
}

/** A transaction of these payments under a nonce that no other one has. */
function sent(entries: Entry[] = [entry()], change: Partial<SentTransaction> = {}): SentTransaction {
  count += 1
  const id = { network: NETWORK, signer: SIGNER, accountNonce: count }
  const bytes = { gas: 100_000n * BigInt(entries.length), hash: '0x01', raw: '0x02', replaced: ['0x03'] } as const
  return { ...id, ...bytes, sentAt: NOW, pricedAt: NOW, minedAt: null, entries, ...change }
}

// Started while the file is read, so that the tests know whether there is one.
const postgres: TestPostgres | null = await startPostgres()
let pgStore: PgSettlementStore | undefined

beforeAll(async () => {
  if (postgres === null) return
  pgStore = makePgStore(postgres.url)
  // Two processes that start at once, and a later start that finds its tables.
  await Promise.all([pgStore.prepare(), pgStore.prepare()])
  await pgStore.prepare()
})
afterAll(async () => {
  await pgStore?.close()
  await postgres?.close()
})

const stores = [
  { name: 'in memory', isMissing: false, open: () => makeMemoryStore() },
  { name: 'in PostgreSQL (skipped where it is not installed)', isMissing: postgres === null, open: () => pgStore },
]

describe.each(stores)('the store $name', ({ isMissing, open }) => {
  let store: SettlementStore
  beforeEach(async () => {
    store = open() ?? makeMemoryStore()
    const all = await store.open(NETWORK)
    for (const each of all) await store.end(each, [], NOW)
    await store.prune({ reverts: later(9_999), credits: later(9_999), answered: later(9_999), left: later(9_999) })
  })
  const run = test.skipIf(isMissing)

  async function standingOf(payer: Entry['payer'], key = '', since = LONG_AGO) {
    return (await store.histories(NETWORK, [{ payer, key }], since))[0]
  }
  async function recorded(entries?: Entry[], change?: Partial<SentTransaction>): Promise<SentTransaction> {
    const transaction = sent(entries, change)
    expect(await store.record(transaction)).toEqual([])
    return transaction
  }
  /** Records a transaction with this one payment, which then ends so. */
  async function ended(change: Partial<Entry>, outcome: Omit<Outcome, 'key'>, at = NOW): Promise<string> {
    const only = entry(change)
    const transaction = await recorded([only])
    expect(await store.end(transaction, [{ key: only.key, ...outcome }], at)).toEqual([only.key])
    return only.key
  }
  const reverted = (change: Partial<Entry>, gasUsed: bigint, at = NOW) =>
    ended(change, { isReverted: true, gasUsed }, at)
  const settled = (change: Partial<Entry> = {}) => ended(change, { isReverted: false, gasUsed: 60_000n })

  run('default: a batch comes back as it was stored, by each of its payments', async () => {
    const transaction = await recorded([entry({ isTrial: true }), entry(), entry({ payer: OTHER })])
    for (const { key } of transaction.entries) expect(await store.find(key)).toEqual(transaction)
    expect(await store.read(transaction)).toEqual(transaction)
    expect(await store.open(NETWORK)).toEqual([transaction])
  })

  run('default: an answered payment leaves its batch, and the transaction stays', async () => {
    const transaction = await recorded([entry(), entry()])
    const [first, second] = transaction.entries
    await store.forget(first?.key ?? '', transaction)
    expect(await store.find(first?.key ?? '')).toBeNull()
    expect(await store.read(transaction)).toEqual({ ...transaction, entries: [second] })
  })

  run('error: of a batch with a payment that is stored already nothing is stored', async () => {
    const taken = await recorded()
    const [stored] = taken.entries
    const batch = sent([entry(), { ...entry(), key: stored?.key ?? '' }])
    expect(await store.record(batch)).toEqual([stored?.key])
    expect(await store.read(batch)).toBeNull()
    expect(await store.find(batch.entries[0]?.key ?? '')).toBeNull()
    await expect(store.record(sent([entry()], { accountNonce: taken.accountNonce }))).rejects.toThrow()
  })

  run('behavior: a payment that moved to another transaction is not removed with the first one', async () => {
    const first = await recorded()
    const [moved] = first.entries
    if (moved === undefined) throw new Error('no entry')
    await store.forget(moved.key, first)
    const second = await recorded([moved])
    await store.forget(moved.key, first)
    expect(await store.find(moved.key)).toEqual(second)
  })

  run('behavior: higher fees are stored once and keep the old hash', async () => {
    const transaction = await recorded()
    const by = { hash: '0x0a', raw: '0x0b', pricedAt: later(60) } as const
    expect(await store.replace(transaction, '0x01', by)).toBe(true)
    expect(await store.replace(transaction, '0x01', by)).toBe(false)
    expect(await store.read(transaction)).toEqual({ ...transaction, ...by, replaced: ['0x03', '0x01'] })
  })

  run('behavior: a mined transaction is open again when its block is gone, and is counted once', async () => {
    const transaction = await recorded()
    const outcomes = transaction.entries.map(({ key }) => ({ key, isReverted: false, gasUsed: 1n }))
    await store.end(transaction, outcomes, NOW)
    expect(await store.open(NETWORK)).toEqual([])
    expect(await store.minedFrom({ ...transaction, accountNonce: transaction.accountNonce + 1 })).toEqual([])
    expect((await store.minedFrom(transaction)).map(({ accountNonce }) => accountNonce)).toEqual([
      transaction.accountNonce,
    ])
    await store.reopen(transaction)
    expect(await store.open(NETWORK)).toHaveLength(1)
    expect(await store.end(transaction, outcomes, later(1))).toEqual([])
    expect(await standingOf(PAYER)).toMatchObject({ credit: 100_000n })
  })

  run('behavior: the next nonce is above every stored one of that signer', async () => {
    const transaction = await recorded([entry()], { signer: '0x77', accountNonce: 41 })
    expect(await store.nextNonce({ network: NETWORK, signer: '0x77' })).toBe(42)
    expect(await store.nextNonce({ network: NETWORK, signer: '0x78' })).toBe(0)
    await store.discard(transaction)
    expect(await store.nextNonce({ network: NETWORK, signer: '0x77' })).toBe(0)
    expect(await store.find(transaction.entries[0]?.key ?? '')).toBeNull()
  })

  run('behavior: what is in flight is what no receipt has ended', async () => {
    const transaction = await recorded([entry(), entry({ payer: OTHER })])
    const [first, second] = transaction.entries
    await store.end(transaction, [{ key: first?.key ?? '', isReverted: false, gasUsed: 1n }], NOW)
    expect(await store.inFlight(NETWORK)).toEqual([
      expect.objectContaining({ key: second?.key, payer: OTHER, accountNonce: transaction.accountNonce }),
    ])
  })

  run('default: a success adds its gas limit to the credit of its payer', async () => {
    await settled()
    await settled()
    expect(await standingOf(PAYER)).toMatchObject({ credit: 200_000n, networkLost: 0n, payerRevertedAt: null })
    expect(await standingOf(OTHER)).toMatchObject({ credit: 0n })
  })

  run('behavior: an outcome counts once, however often its receipt is seen', async () => {
    const transaction = await recorded()
    const outcomes = transaction.entries.map(({ key }) => ({ key, isReverted: true, gasUsed: 60_000n }))
    const counted = await Promise.all([store.end(transaction, outcomes, NOW), store.end(transaction, outcomes, NOW)])
    expect(counted.flat()).toHaveLength(1)
    expect(await store.end(sent(), outcomes, NOW)).toEqual([])
    expect(await standingOf(PAYER)).toMatchObject({ payerLost: 60_000n })
  })

  run('behavior: a revert outlives its entry, and takes the credit of its payer', async () => {
    const paid = await settled()
    const key = await reverted({}, 70_000n, later(5))
    const transaction = await store.find(key)
    if (transaction !== null) await store.forget(key, transaction)
    expect(await standingOf(PAYER, key)).toEqual({
      hasReverted: true,
      payerRevertedAt: later(5),
      payerLost: 70_000n,
      networkLost: 70_000n,
      trialLost: 0n,
      credit: 0n,
    })
    expect(await standingOf(PAYER, paid)).toMatchObject({ hasReverted: false })
  })

  run('behavior: a failure in a batch is lost gas of its payer, and may be tried again', async () => {
    const transaction = await recorded([entry(), entry({ payer: OTHER }), entry({ payer: OTHER })])
    const outcomes = transaction.entries.map(({ key }, index) => {
      return { key, isReverted: index !== 1, isInBatch: index !== 1, gasUsed: 50_000n }
    })
    await store.end(transaction, outcomes, NOW)
    expect(await standingOf(PAYER, outcomes[0]?.key)).toMatchObject({ hasReverted: false, payerLost: 50_000n })
    // Settled and failed in one batch: the failure counts, as if it came last.
    expect(await standingOf(OTHER)).toMatchObject({ credit: 0n, payerLost: 50_000n })
  })

  run('behavior: a revert of a payment made by another transaction is lost gas, and not the payer’s', async () => {
    await settled()
    const key = await ended({ isTrial: true }, { isReverted: true, isBlameless: true, gasUsed: 40_000n })
    expect(await standingOf(PAYER, key)).toEqual({
      hasReverted: true,
      payerRevertedAt: null,
      payerLost: 0n,
      networkLost: 40_000n,
      trialLost: 40_000n,
      credit: 100_000n,
    })
  })

  run('behavior: sums are by payer, by network over all keys, by trial and by time', async () => {
    await reverted({}, 1n)
    await reverted({ isTrial: true }, 10n)
    await reverted({ payer: OTHER, isTrial: true }, 100n)
    await reverted({ payer: OTHER }, 10_000n, LONG_AGO)
    const queries = [
      { payer: PAYER, key: '' },
      { payer: OTHER, key: '' },
    ] as const
    expect(await store.histories(NETWORK, queries, LONG_AGO)).toMatchObject([
      { payerLost: 11n, networkLost: 111n, trialLost: 110n },
      { payerLost: 100n, networkLost: 111n, trialLost: 110n, payerRevertedAt: NOW },
    ])
  })

  run('behavior: what is older than its time is pruned, an answered transaction earlier', async () => {
    const before = { reverts: NOW, credits: NOW, answered: later(1), left: NOW }
    const key = await reverted({}, 1n, NOW)
    const answered = await recorded([])
    await store.end(answered, [], NOW)
    await store.prune(before)
    expect(await store.read(answered)).toBeNull()
    expect(await store.find(key)).not.toBeNull()
    expect(await standingOf(PAYER, key)).toMatchObject({ hasReverted: true })
    await store.prune({ ...before, reverts: later(1), left: later(1) })
    expect(await store.find(key)).toBeNull()
    expect(await standingOf(PAYER, key)).toMatchObject({ hasReverted: false, payerRevertedAt: null })
  })

  run('behavior: turns of one network follow each other, and those of two do not wait', async () => {
    const order: string[] = []
    const turn = (network: string, name: string, before?: Promise<void>) =>
      store.inTurn(network, async () => {
        await before
        order.push(name)
      })
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = turn(NETWORK, 'first', promise)
    const second = turn(NETWORK, 'second')
    await turn('eip155:1', 'other')
    resolve()
    await Promise.all([first, second])
    expect(order).toEqual(['other', 'first', 'second'])
  })
})

test.skipIf(postgres === null)('behavior: tables of an earlier version keep their open settlements', async () => {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: postgres?.url })
  await client.connect()
  await client.query(`drop schema facilitator cascade; create schema facilitator;
    create table facilitator.settlements (key text primary key, network text not null, signer text not null,
      account_nonce bigint not null, signature text not null, hash text not null, raw text not null,
      sent_at timestamptz not null, unique (network, signer, account_nonce));
    insert into facilitator.settlements values ('${NETWORK} 0x05dc 0xaa 0x01', '${NETWORK}', '0x51', 7, '0x77', '0x01', '0x02', now())`)
  await client.end()
  await pgStore?.prepare()
  await pgStore?.prepare()
  expect(await pgStore?.find(`${NETWORK} 0x05dc 0xaa 0x01`)).toMatchObject({
    signer: '0x51',
    accountNonce: 7,
    hash: '0x01',
    entries: [{ asset: '0x05dc', payer: '0xaa', signature: '0x77' }],
  })
})
