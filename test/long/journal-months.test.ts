import { afterAll, expect, it } from 'vitest'
import { changeUnderLoad, fillEarlierRelease } from '../helpers/months-under-load.ts'
import { startPostgres } from '../helpers/postgres.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.close())
const ROWS = 1_000_000
const remark = postgres === null ? ' (skipped: PostgreSQL is not installed)' : ''

it.skipIf(postgres === null)(
  `behavior: 1,000,000 payments become months, no purchase fails or waits a second${remark}`,
  async () => {
    const url = postgres?.url ?? ''
    await fillEarlierRelease(url, ROWS)
    const figures = await changeUnderLoad(url)
    const { failed, ...rest } = figures
    console.log(
      'the journal by month:',
      Object.fromEntries(Object.entries(rest).map(([k, v]) => [k, Math.round(v * 10) / 10])),
    )
    expect(failed).toEqual([])
    expect(figures.purchases).toBeGreaterThan(100)
    expect(figures.slowestMs).toBeLessThan(1_000)
  },
  600_000,
)
