import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startChain } from '../../dev/anvil/chain.ts'
import { freePort } from '../../dev/process/ports.ts'
import { startProvider } from '../../dev/provider/server.ts'
import { loadSecrets } from '../../dev/worker/secrets.ts'
import { facilitatorEnv, serverEnv } from './container-env.ts'
import { transfersTo } from './facilitator-process.ts'
import type { BuiltImage } from './image-build.ts'
import { runImage } from './image-run.ts'
import type { TestPostgres } from './postgres.ts'
import type { Program } from './program.ts'
import { startTestS3 } from './s3.ts'

const ROLES_FILE = join(import.meta.dirname, '../../docs/deploy/roles.sql')

/** The services that compose.yaml puts around the image: database with its roles, store, provider, chain. */
export type ImageStand = Awaited<ReturnType<typeof makeImageStand>>

/** Makes the roles as the `roles` service does: the passwords are in the environment. */
export function makeRoles(url: string): void {
  const passwords = ['migrator', 'server', 'facilitator'].map((role) => [
    `${role.toUpperCase()}_DATABASE_PASSWORD`,
    `${role}-password`,
  ])
  const env = { ...process.env, ...Object.fromEntries(passwords) }
  execFileSync('/usr/bin/psql', ['-q', '-f', ROLES_FILE, url], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

export function urlOf(role: string, url: string): string {
  const named = new URL(url)
  named.username = role
  named.password = `${role}-password`
  return named.href
}

async function queryAt(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

/** Starts everything that the image's programs need, and says how they are started. */
export async function makeImageStand(postgres: TestPostgres) {
  makeRoles(postgres.url)
  const dir = mkdtempSync(join(tmpdir(), 'coinslot-image-secrets-'))
  const secrets = await loadSecrets(dir)
  const [chain, s3, provider] = await Promise.all([
    startChain({ buyers: 2 }),
    startTestS3(),
    startProvider({ token: secrets.providerToken, webhookSecret: secrets.webhookSecret, speed: 4 }),
  ])
  const [port, facilitatorPort] = [await freePort(), await freePort()]
  const origin = `http://127.0.0.1:${port}`
  const running = new Set<Program>()
  const kept = (program: Program): Program => {
    running.add(program)
    void program.ended.then(() => running.delete(program))
    return program
  }
  const places = { chain, s3, provider, secrets, origin, port, facilitatorPort }
  const server = serverEnv(places, urlOf('server', postgres.url))
  const facilitator = facilitatorEnv(places, urlOf('facilitator', postgres.url))
  const query = (text: string) => queryAt(postgres.url, text)

  return {
    chain,
    origin,
    query,
    migrate: (image: BuiltImage) =>
      kept(runImage(image, { DATABASE_URL: urlOf('migrator', postgres.url) }, ['migrate.mjs'])),
    serve: (image: BuiltImage, more: Record<string, string> = {}) => kept(runImage(image, { ...server, ...more })),
    settle: (image: BuiltImage) => kept(runImage(image, facilitator, ['facilitator.mjs'])),
    script: (runs: unknown[]) =>
      fetch(new URL('/__script', provider.url), { method: 'POST', body: JSON.stringify({ runs }) }),
    /** Counts that must be one for one purchase. */
    async counts() {
      const transfers = (await transfersTo(chain)).length
      const made: { created: number } = await (await fetch(new URL('/__counts', provider.url))).json()
      const rows = (await query('select 1 from inferences')).length
      return { transfers, predictions: made.created, rows }
    },
    async close() {
      for (const program of running) program.kill('SIGKILL')
      await Promise.all([...running].map(({ ended }) => ended))
      await Promise.all([chain.close(), s3.close(), provider.close()])
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** The kernel's facts about a process: user, capabilities, and whether its root takes writes. */
export function confinementOf(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1]
  const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n')
  const root = mounts.map((line) => line.split(' ')).findLast(([, , , , where]) => where === '/')
  return {
    uid: field('Uid'),
    capabilities: field('CapEff'),
    noNewPrivileges: field('NoNewPrivs'),
    root: root?.[5]?.split(',')[0],
  }
}
