import { existsSync } from 'node:fs'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { makeRoles, urlOf } from '../helpers/image-stand.ts'
import { startPostgres } from '../helpers/postgres.ts'

const postgres = existsSync('/usr/bin/psql') ? await startPostgres() : null
afterAll(() => postgres?.close())

test.skipIf(postgres === null).each(['migrator', 'server', 'facilitator'])(
  'error: M6 G8 psql takes the password of %s from its environment',
  async (role) => {
    const url = postgres?.url ?? ''
    makeRoles(url)
    const client = new pg.Client({ connectionString: urlOf(role, url) })
    await client.connect()
    const { rows } = await client.query('select current_user as role')
    await client.end()
    expect(rows).toEqual([{ role }])
  },
)
