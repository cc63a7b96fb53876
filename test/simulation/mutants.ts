import { sql } from 'drizzle-orm'
import { type Database, DatabaseUnavailable } from '../../db/client.ts'
import { SqlError } from '../../db/errors.ts'
import type { RequestDeps } from '../../worker/domain/deps.ts'
import { ProviderError, type ProviderFile } from '../../worker/upstreams/provider/provider.ts'
import { makeUpstreamHealth } from '../../worker/upstreams/upstream-health.ts'

/** One guard removed, without a change of the code. The checks must then find a violation. */
export interface Mutant {
  deps(deps: RequestDeps): RequestDeps
  /** Changes the database before the first schedule. Not there: the database stays as it is. */
  prepare?(database: Database): Promise<void>
  /** Changes what a caller receives. */
  response(response: Response): Response
}

const untouched: Mutant = { deps: (deps) => deps, response: (response) => response }

const SEARCH_ENDS_MS = 3 * 3_600_000

/** Changes each row before it is written. `name` becomes the trigger's name. */
async function onWrite(database: Database, name: string, event: 'insert' | 'update', change: string): Promise<void> {
  await database.run(
    sql.raw(`create function ${name}() returns trigger language plpgsql as
    $$ begin ${change}; return new; end $$`),
  )
  await database.run(
    sql.raw(`create trigger ${name} before ${event} on payments for each row execute function ${name}()`),
  )
}

/** Throws what the driver once threw for a database that only reads: an error of the statement. */
async function asRefusal<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable && error.rolledBack) throw new SqlError('25006', error.message)
    throw error
  })
}

/** Refuses for good what a first look at a file brings, as the worker once did. */
function refusing(deps: RequestDeps, isRefused: (url: string, bytes: Uint8Array, file: ProviderFile) => boolean) {
  const openFile = async (url: string): Promise<ProviderFile> => {
    const file = await deps.provider.openFile(url)
    const bytes = new Uint8Array(await new Response(file.body).arrayBuffer())
    if (isRefused(url, bytes, file)) throw new ProviderError('input', 'output type not allowed')
    const { body } = new Response(bytes)
    return body === null ? file : { body, length: file.length }
  }
  return { ...deps, provider: { ...deps.provider, openFile } }
}

/** The guards, by the names `--break` takes. `docs/design/chaos.md` says what each removes. */
export const MUTANTS = {
  none: untouched,
  claim: {
    ...untouched,
    async prepare(database) {
      await database.run(sql`alter table payment_keys drop constraint payment_keys_authorization_key`)
      await onWrite(database, 'hide_nonce', 'insert', 'new.nonce := upper(new.nonce)')
    },
  },
  release: {
    ...untouched,
    deps: (deps) => ({
      ...deps,
      facilitator: {
        ...deps.facilitator,
        async settle(payload, requirements) {
          const outcome = await deps.facilitator.settle(payload, requirements)
          return outcome.kind === 'unknown' ? { kind: 'refused', reason: outcome.reason } : outcome
        },
      },
      chain: {
        ...deps.chain,
        authorizationStatus: async (query) => ({ ...(await deps.chain.authorizationStatus(query)), spent: false }),
      },
    }),
  },
  search: {
    ...untouched,
    deps: (deps) => ({ ...deps, provider: { ...deps.provider, async *list() {} } }),
  },
  expire: {
    ...untouched,
    deps: (deps) => ({
      ...deps,
      chain: {
        ...deps.chain,
        authorizationStatus: async (query) => ({
          ...(await deps.chain.authorizationStatus(query)),
          blockTime: deps.now(),
        }),
      },
    }),
  },
  resends: {
    ...untouched,
    prepare: (database) => onWrite(database, 'forget_resends', 'update', 'new.settle_resends := 0'),
  },
  reverted: {
    ...untouched,
    deps: (deps) => ({ ...deps, chain: { ...deps.chain, isReverted: async () => false } }),
  },
  period: {
    ...untouched,
    deps: (deps) => ({
      ...deps,
      chain: {
        ...deps.chain,
        authorizationOutcome: (query, since) =>
          deps.chain.authorizationOutcome(query, since, new Date(since.getTime() + SEARCH_ENDS_MS)),
      },
    }),
  },
  early: {
    ...untouched,
    prepare: (database) =>
      onWrite(database, 'forget_touch', 'update', "new.updated_at := new.updated_at - interval '1 day'"),
  },
  missing: {
    ...untouched,
    deps: (deps) => ({
      ...deps,
      provider: {
        ...deps.provider,
        openFile: (url) =>
          deps.provider.openFile(url).catch((error: unknown) => {
            throw error instanceof ProviderError && error.missing ? new ProviderError('input', error.message) : error
          }),
      },
    }),
  },
  page: {
    ...untouched,
    deps: (deps) => refusing(deps, (_url, bytes) => bytes[0] === '<'.charCodeAt(0)),
  },
  empty: {
    ...untouched,
    deps: (deps) => refusing(deps, (_url, bytes) => bytes.length === 0),
  },
  cut: {
    ...untouched,
    deps: (deps) => refusing(deps, (_url, bytes, { length }) => bytes.length > 0 && bytes.length !== length),
  },
  data: {
    ...untouched,
    deps: (deps) => refusing(deps, (url) => url.startsWith('data:')),
  },
  readonly: {
    ...untouched,
    deps: (deps) => ({
      ...deps,
      database: {
        run: (...args) => asRefusal(deps.database.run(...args)),
        batch: (...args) => asRefusal(deps.database.batch(...args)),
      },
    }),
  },
  settled: {
    ...untouched,
    response(response) {
      if (response.status < 500) return response
      const headers = new Headers(response.headers)
      headers.delete('Payment-Response')
      return new Response(response.body, { status: response.status, headers })
    },
  },
  followers: {
    ...untouched,
    // This object keeps the state that the followers of a process share.
    deps: (deps) => ({
      ...deps,
      get upstreams() {
        return makeUpstreamHealth()
      },
    }),
  },
} satisfies Record<string, Mutant>

export type MutantName = keyof typeof MUTANTS

export const isMutantName = (name: string): name is MutantName => Object.hasOwn(MUTANTS, name)

/** Every guard that can be removed. */
export const GUARDS = Object.keys(MUTANTS)
  .filter(isMutantName)
  .filter((name) => name !== 'none')
