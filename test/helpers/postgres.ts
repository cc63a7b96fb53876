import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../db/migrator.ts'
import { freePort } from '../../dev/process/ports.ts'

export interface TestPostgres {
  /** `postgresql://coinslot@127.0.0.1:PORT/postgres`, an empty database. */
  url: string
  close(): Promise<void>
}

const INSTALLED = '/usr/lib/postgresql'

/** Settings for a server whose data is not needed after a crash. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'listen_addresses=127.0.0.1']

/** Starts an empty PostgreSQL of the newest installed version, or returns null where none is installed. */
export async function startPostgres(): Promise<TestPostgres | null> {
  const bin = newestBin()
  if (bin === null) return null
  const folder = mkdtempSync(join(tmpdir(), 'coinslot-pg-'))
  const asOwner = ownedBy(folder)
  const data = join(folder, 'data')
  asOwner(join(bin, 'initdb'), ['-D', data, '-U', 'coinslot', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
  const port = await freePort()
  const settings = [...SETTINGS, `unix_socket_directories=${folder}`].map((setting) => `-c ${setting}`).join(' ')
  const control = join(bin, 'pg_ctl')
  asOwner(control, ['-D', data, '-w', '-l', join(folder, 'log'), '-o', `-p ${port} ${settings}`, 'start'])
  return {
    url: `postgresql://coinslot@127.0.0.1:${port}/postgres`,
    async close() {
      asOwner(control, ['-D', data, '-m', 'immediate', 'stop'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function newestBin(): string | null {
  if (!existsSync(INSTALLED)) return null
  const versions = readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a))
  return (
    versions.map((version) => join(INSTALLED, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb'))) ?? null
  )
}

/** PostgreSQL refuses to run as root: then `folder` is given to the user `postgres` and commands run as that user. */
function ownedBy(folder: string): (command: string, args: string[]) => void {
  if (process.getuid?.() !== 0) return (command, args) => execFileSync(command, args, { stdio: 'ignore' })
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']))
  const owner = { uid: id('-u'), gid: id('-g') }
  chownSync(folder, owner.uid, owner.gid)
  return (command, args) => execFileSync(command, args, { stdio: 'ignore', cwd: folder, ...owner })
}

const SHARED = 'COINSLOT_TEST_POSTGRES'
const TEMPLATE = 'migrated'

/**
 * Starts one PostgreSQL for all stacks of a test run, with a migrated template: a copy of it takes less processor time
 * than PGlite. Returns what ends it, or undefined where none is installed.
 */
export async function sharePostgres(): Promise<(() => Promise<void>) | undefined> {
  const server = await startPostgres()
  if (server === null) return undefined
  try {
    await runOn(server.url, `create database ${TEMPLATE}`)
    await migrate(databaseOf(server.url, TEMPLATE))
  } catch (error) {
    await server.close()
    throw error
  }
  process.env[SHARED] = server.url
  return () => {
    delete process.env[SHARED]
    return server.close()
  }
}

/** The URL of a new migrated database on the shared PostgreSQL; undefined without one. */
export async function newDatabase(): Promise<string | undefined> {
  const server = process.env[SHARED]
  if (server === undefined) return undefined
  const name = `stack_${randomBytes(6).toString('hex')}`
  await runOn(server, `create database ${name} template ${TEMPLATE}`)
  return databaseOf(server, name)
}

const databaseOf = (server: string, name: string): string => Object.assign(new URL(server), { pathname: name }).href

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
