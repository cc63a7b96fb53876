import { afterAll, describe, it } from 'vitest'
import { startPostgres } from '../helpers/postgres.ts'
import { expectStorm, playStorm } from '../stack/storm.ts'

const SIZE = { copies: 200, distinct: 50 }
const postgres = await startPostgres()
afterAll(() => postgres?.close())

describe('storm after storm', () => {
  it.each([1, 2, 3, 4, 5])(
    'behavior: number %i leaves 51 of everything',
    async () => {
      expectStorm(await playStorm(SIZE))
    },
    300_000,
  )

  it.skipIf(postgres === null)(
    'behavior: on a real PostgreSQL (skipped where none is installed)',
    async () => {
      expectStorm(await playStorm(SIZE, { shell: { DATABASE_URL: postgres?.url } }))
    },
    300_000,
  )
})
