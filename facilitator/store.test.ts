import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../test/helpers/postgres.ts'
import { makeMemoryStore } from './memory-store.ts'
import { makePgStore, type PgSettlementStore } from './pg-store.ts'
import type { SentTransaction, SettlementStore } from './store.ts'

const NETWORK = 'eip155:31337'
const SIGNER = '0x51'
const PAYER = '0xaa'
const OTHER = '0xbb'
const NOW = new Date('2026-01-01T12:00:00Z')
const later = (seconds: number) => new Date(NOW.getTime() + 1_000 * seconds)
const LONG_AGO = later(-3_600)

let count = 0
/** An entry under an authorization and a nonce that no other entry has. */
function entry(change: Partial<SentTransaction> = {}): SentTransaction {
  count += 1
  const facts = { network: NETWORK, asset: '0x05dc', payer: PAYER, value: 2n ** 200n, signature: '0x77' } as const
  const sent = {
    signer: SIGNER,
    accountNonce: count,
    gas: 100_000n,
    isTrial: false,
    hash: '0x01',
    raw: '0x02',
  } as const
  const times = { sentAt: NOW, pricedAt: NOW, endedAt: null }
  return { key: `authorization ${count}`, ...facts, ...sent, replaced: ['0x03'], ...times, ...change }
}

// Started while the file is read, so that the tests know whether there is one.
const postgres: TestPostgres | null = await startPostgres()
let pgStore: PgSettlementStore | undefined

beforeAll(async () => {
  if (postgres === null) return
  pgStore = makePgStore(postgres.url)
  await pgStore.prepare()
  // A second start finds its tables.
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
    for (const { key } of await store.open(NETWORK)) await store.forget(key)
    await store.prune({ reverts: later(9_999), credits: later(9_999) })
  })
  const standingOf = (payer: SentTransaction['payer'], key = '', signer = SIGNER, since = LONG_AGO) =>
    store.standing({ network: NETWORK, signer, payer, key, since })
  const run = test.skipIf(isMissing)

  async function revert(change: Partial<SentTransaction>, gasUsed: bigint, at = NOW): Promise<string> {
    const sent = entry(change)
    await store.record(sent)
    expect(await store.end(sent.key, { isReverted: true, gasUsed, at })).toBe(true)
    return sent.key
  }

  run('default: an entry comes back as it was stored, and its end is kept', async () => {
    const sent = entry({ isTrial: true })
    await store.record(sent)
    expect(await store.find(sent.key)).toEqual(sent)
    await store.end(sent.key, { isReverted: false, gasUsed: 1n, at: later(1) })
    expect(await store.open(NETWORK)).toEqual([{ ...sent, endedAt: later(1) }])
    await store.forget(sent.key)
    expect(await store.find(sent.key)).toBeNull()
  })

  run('default: a success adds its gas limit to the credit of its payer', async () => {
    for (let settlement = 0; settlement < 2; settlement += 1) {
      const sent = entry()
      await store.record(sent)
      await store.end(sent.key, { isReverted: false, gasUsed: 60_000n, at: NOW })
    }
    expect(await standingOf(PAYER)).toMatchObject({ credit: 200_000n, keyLost: 0n, payerRevertedAt: null })
    expect(await standingOf(OTHER)).toMatchObject({ credit: 0n })
  })

  run('behavior: an outcome counts once, however often its receipt is seen', async () => {
    const sent = entry()
    await store.record(sent)
    const outcome = { isReverted: true, gasUsed: 60_000n, at: NOW }
    expect(await Promise.all([store.end(sent.key, outcome), store.end(sent.key, outcome)])).toContain(false)
    expect(await store.end(sent.key, outcome)).toBe(false)
    expect(await store.end('an authorization without an entry', outcome)).toBe(false)
    expect(await standingOf(PAYER)).toMatchObject({ payerLost: 60_000n })
  })

  run('behavior: a revert outlives its entry, and takes the credit of its payer', async () => {
    const paid = entry()
    await store.record(paid)
    await store.end(paid.key, { isReverted: false, gasUsed: 60_000n, at: NOW })
    const key = await revert({}, 70_000n, later(5))
    await store.forget(key)
    expect(await standingOf(PAYER, key)).toEqual({
      hasReverted: true,
      payerRevertedAt: later(5),
      payerLost: 70_000n,
      keyLost: 70_000n,
      trialLost: 0n,
      credit: 0n,
    })
    expect(await standingOf(PAYER, paid.key)).toMatchObject({ hasReverted: false })
  })

  run('behavior: a revert of a payment made by another transaction is lost gas, and not the payer’s', async () => {
    const paid = entry()
    await store.record(paid)
    await store.end(paid.key, { isReverted: false, gasUsed: 60_000n, at: NOW })
    const sent = entry({ isTrial: true })
    await store.record(sent)
    await store.end(sent.key, { isReverted: true, isPaid: true, gasUsed: 40_000n, at: NOW })
    expect(await standingOf(PAYER, sent.key)).toEqual({
      hasReverted: true,
      payerRevertedAt: null,
      payerLost: 0n,
      keyLost: 40_000n,
      trialLost: 40_000n,
      credit: 100_000n,
    })
  })

  run('behavior: sums are by payer, by key, by trial and by time', async () => {
    await revert({}, 1n)
    await revert({ isTrial: true }, 10n)
    await revert({ payer: OTHER, isTrial: true }, 100n)
    await revert({ payer: OTHER, signer: '0x52' }, 1_000n)
    await revert({ payer: OTHER }, 10_000n, LONG_AGO)
    expect(await standingOf(PAYER)).toMatchObject({ payerLost: 11n, keyLost: 111n, trialLost: 110n })
    expect(await standingOf(OTHER)).toMatchObject({ payerLost: 1_100n, keyLost: 111n, payerRevertedAt: NOW })
    expect(await standingOf(OTHER, '', '0x52')).toMatchObject({ keyLost: 1_000n, trialLost: 0n })
  })

  run('behavior: what is older than its time is pruned', async () => {
    const key = await revert({}, 1n, NOW)
    await store.prune({ reverts: NOW, credits: NOW })
    expect(await standingOf(PAYER, key)).toMatchObject({ hasReverted: true })
    await store.prune({ reverts: later(1), credits: NOW })
    expect(await standingOf(PAYER, key)).toMatchObject({ hasReverted: false, payerRevertedAt: null })
  })
})
