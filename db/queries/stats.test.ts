import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { useDatabase } from '../../test/helpers/in-process-database.ts'
import { readReceived } from './stats.ts'

const AIC = '0x00000000000000000000000000000000000000Aa'
const OTHER = '0x00000000000000000000000000000000000000bb'

const db = useDatabase()
let payments = 0

interface Facts {
  amount: string
  state?: string
  chainId?: number
  asset?: string
  hash?: string | null
}

async function insert({ amount, state = 'done', chainId = 1, asset = AIC, hash }: Facts): Promise<void> {
  const id = `00000000-0000-4000-8000-${String(++payments).padStart(12, '0')}`
  const txHash = hash === undefined ? `0x${String(payments).padStart(64, '0')}` : hash
  await db.database.run(sql`
    insert into payments (id, chain_id, asset, payer, nonce, amount, request, request_hash, quote, "authorization", signature,
      signature_recovered, state, tx_hash, object_key, inference_id, created_at, updated_at)
    values (${id}::uuid, ${chainId}::int, ${asset.toLowerCase()}, '0x01', ${id}, ${amount}::numeric, '{}', '', '{}', '{}', '', true,
      ${state}::payment_state, ${txHash}, '', ${id}::uuid, now(), now())`)
}

test('default: nothing received is zero', async () => {
  expect(await readReceived(db.database, 1, AIC)).toBe(0n)
})

test('behavior: every settled or owed payment counts, beyond a float’s range', async () => {
  await insert({ amount: '100000000000000000000000001', state: 'settled' })
  await insert({ amount: '20', state: 'done' })
  await insert({ amount: '300', state: 'owed' })
  expect(await readReceived(db.database, 1, AIC)).toBe(100000000000000000000000321n)
})

test('behavior: unsettled payments and those of other tokens or chains do not count', async () => {
  await insert({ amount: '1' })
  for (const state of ['claimed', 'settling', 'unknown', 'rejected']) await insert({ amount: '7', state, hash: null })
  await insert({ amount: '7', asset: OTHER })
  await insert({ amount: '7', chainId: 8453 })
  await insert({ amount: '7', hash: '8f14e45f-ceea-467f-9a3a-6d4c7a2b1c00' })
  expect(await readReceived(db.database, 1, AIC)).toBe(1n)
})
