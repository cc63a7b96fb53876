import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseEnv } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../dev/process/service.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { startProgram } from '../helpers/program.ts'

const ROOT = join(import.meta.dirname, '../..')
const postgres = await startPostgres()
const reports: string[] = []
const tracker = createServer(async (request, response) => {
  reports.push(await text(request))
  response.end('{}')
})
let trackerUrl: string

beforeAll(async () => {
  trackerUrl = await listen(tracker)
})
afterAll(async () => {
  tracker.close()
  await postgres?.close()
})

test('behavior: SIGTERM during the wait for the database ends it at once', async () => {
  const env = {
    ...parseEnv(readFileSync(join(ROOT, '.dev.vars.example'), 'utf8')),
    PORT: '0',
    DATABASE_URL: 'postgresql://app@127.0.0.1:1/main',
  }
  const program = startProgram({ args: [join(ROOT, 'worker/node/main.ts')], env })
  await program.event('database.awaited')
  program.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect(program.lines.at(-1)).toMatchObject({ event: 'stopped', unfinished: 0 })
})

describe.skipIf(postgres === null)('the Node server (skipped where PostgreSQL is not installed)', () => {
  test('error: a failed start is reported to the error tracker before the process ends', async () => {
    const client = new pg.Client({ connectionString: postgres?.url })
    await client.connect()
    // The table of the first migration exists already.
    await client.query('create table users (address int)')
    await client.end()
    const env = {
      ...parseEnv(readFileSync(join(ROOT, '.dev.vars.example'), 'utf8')),
      PORT: '0',
      DATABASE_URL: postgres?.url ?? '',
      ERROR_TRACKING_DSN: `${trackerUrl.replace('://', '://key@')}/7`,
    }
    const program = startProgram({ args: [join(ROOT, 'worker/node/main.ts')], env })
    expect(await program.ended).toBe(1)
    expect(program.lines.at(-1)).toMatchObject({ level: 'error', event: 'start.failed' })
    expect(reports).toHaveLength(1)
    expect(reports[0]).toContain('"logger":"start.failed"')
    expect(reports[0]).toContain('"tags":{"trigger":"server"}')
  })
})
