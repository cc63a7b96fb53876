import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFunctions, sha256 } from '../../db/migration-files.ts'
import { migrate } from '../../db/migrator.ts'
import { type InProcessDatabase, openInProcessDatabase } from '../helpers/in-process-database.ts'
import { openService, requests, verdictOf } from '../helpers/in-process-service.ts'
import { startPostgres } from '../helpers/postgres.ts'

const postgres = await startPostgres()
const remark = postgres === null ? ' (skipped: PostgreSQL is not installed)' : ''

/** The text of a later version: it takes one member more, refuses by it, and answers with one member more. */
const later = (text: string): string =>
  text
    .replace(
      '\nbegin\n',
      "\nbegin\n  if call->>'later' = 'refuse' then\n    raise exception 'refused by a later rule';\n  end if;\n",
    )
    .replaceAll("jsonb_build_object('kind'", "jsonb_build_object('later', 1, 'kind'")
    .replaceAll("jsonb_build_object('limited'", "jsonb_build_object('later', 1, 'limited'")

describe.skipIf(postgres === null)(`a deployment that rolls${remark}`, () => {
  const url = postgres?.url ?? ''
  let database: InProcessDatabase
  let client: pg.Client
  beforeAll(async () => {
    database = await openInProcessDatabase({ postgresUrl: url })
    client = new pg.Client({ connectionString: url })
    await client.connect()
  })
  afterAll(async () => {
    await client?.end()
    await database?.close()
    await postgres?.close()
  })

  const bodies = async (): Promise<string[]> =>
    (
      await client.query(
        "select prosrc from pg_proc where proname ~ '_1$' and pronamespace = 'public'::regnamespace order by proname",
      )
    ).rows.map(({ prosrc }) => prosrc)

  /** Buys a text, brings it again, and is refused with another body: what the worker reads of each answer. */
  async function sell(): Promise<void> {
    // The hashes of each service's test facilitator begin anew.
    await database.reset()
    const service = openService(database.database)
    const buyer = await service.openBuyer()
    const header = await buyer.signedPayment(requests.text)
    const bought = await buyer.answer(requests.text, header)
    expect(verdictOf(bought)).toEqual({ status: 200 })
    expect((await buyer.answer(requests.text, header)).body).toEqual(bought.body)
    const other = { ...requests.text, input: { prompt: 'two words' } }
    expect((await buyer.answer(other, header)).body).toMatchObject({ code: 'payment_used_for_other_request' })
  }

  it('behavior: an old worker sells on the functions of a later version', async () => {
    await sell()
    const before = await bodies()
    for (const { file, text } of readFunctions()) {
      await client.query(later(text))
      await client.query('insert into drizzle.applied_functions (file, hash) values ($1, $2)', [
        file,
        sha256(later(text)),
      ])
    }
    const after = await bodies()
    expect(after.filter((body, index) => body === before[index])).toEqual([])
    await sell()
    await expect(client.query(`select claim_payment_1('{"later":"refuse"}')`)).rejects.toThrow('a later rule')
  })

  it('behavior: a worker that is rolled back leaves the later functions, and sells', async () => {
    const before = await bodies()
    await migrate(url)
    expect(await bodies()).toEqual(before)
    expect(before[0]).toContain('a later rule')
    await sell()
  })

  it('behavior: while the functions are replaced over and over, every purchase succeeds', async () => {
    let selling = true
    const replace = async (): Promise<number> => {
      let count = 0
      for (; selling; count++) {
        for (const { text } of readFunctions()) await client.query(count % 2 === 0 ? text : later(text))
      }
      return count
    }
    const replaced = replace()
    try {
      for (let purchase = 0; purchase < 40; purchase++) await sell()
    } finally {
      selling = false
    }
    expect(await replaced).toBeGreaterThan(10)
  }, 120_000)
})
