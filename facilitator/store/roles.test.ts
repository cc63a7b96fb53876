import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { migrate } from '../../db/migrator.ts'
import { makePgDatabase } from '../../db/pg.ts'
import { claimPayment } from '../../db/queries/claim-payment.ts'
import { makeMonths } from '../../db/queries/journal-months.ts'
import { claimRequest } from '../../test/helpers/claims.ts'
import { startPostgres } from '../../test/helpers/postgres.ts'
import { readRoles } from '../../test/helpers/roles.ts'
import { openKeyLocks } from './key-locks.ts'
import { makePgStore } from './pg-store.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.close())
const remark = postgres === null ? ' (skipped: PostgreSQL is not installed)' : ''

describe.skipIf(postgres === null)(`on PostgreSQL${remark}`, () => {
  const url = postgres?.url ?? ''
  const urlOf = (role: string): string => Object.assign(new URL(url), { username: role }).href
  const as = async (role: string, statement: string): Promise<pg.QueryResult> => {
    const client = new pg.Client({ connectionString: role === '' ? url : urlOf(role) })
    await client.connect()
    return client.query(statement).finally(() => client.end())
  }

  it('error: G8 the server takes no lock of the facilitator, whose own still work', async () => {
    await as('', await readRoles())
    await migrate(urlOf('migrator'))
    const address = `0x${'1'.repeat(40)}` as const
    const taken: string[] = []
    const options = {
      addresses: [address],
      onTaken: async (key: string) => void taken.push(key),
      onGiven: async () => undefined,
      onLost: () => undefined,
    }
    await expect(openKeyLocks({ ...options, databaseUrl: urlOf('server') })).rejects.toMatchObject({ code: '42501' })
    const locks = await openKeyLocks({ ...options, databaseUrl: urlOf('facilitator') })
    expect([await locks.share(), taken]).toEqual([1, [address]])
    await locks.release()
    const store = makePgStore(urlOf('facilitator'))
    await store.prepare()
    expect(await store.inTurn('eip155:8453', async () => 'done')).toBe('done')
    await store.close()
  })

  it('error: G8 the server claims and makes months; a role without rights makes none', async () => {
    const database = makePgDatabase(urlOf('server'))
    const claimed = await claimPayment(database, claimRequest())
    const made = await makeMonths(database, new Date('2999-05-31T00:00:00Z'))
    await database.close()
    expect([claimed, made]).toEqual([expect.objectContaining({ kind: 'new' }), 3])
    await as(
      '',
      'create role guest login; grant usage on schema public to guest; grant connect on database postgres to guest',
    )
    await expect(as('guest', "select make_payment_months('2998-01-01', 0)")).rejects.toMatchObject({ code: '42501' })
  })
})
