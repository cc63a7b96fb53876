import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import type { RequestDeps } from '../../worker/context.ts'

/** One guard switched off, from outside the code: the world must then show a violation, or it checks nothing. */
export interface Break {
  deps(deps: RequestDeps): RequestDeps
  /** Changes the database before the first schedule. */
  prepare(database: Database): Promise<void>
}

const untouched: Break = { deps: (deps) => deps, prepare: async () => undefined }

/**
 * claim: the journal forgets that an authorization is one and the same.
 * release: what is not known of a settlement is taken for a no, and the chain is not asked.
 * search: the provider's list shows nothing.
 * lapse: the worker's clock stands for the block's.
 */
export const BREAKS = {
  none: untouched,
  claim: {
    ...untouched,
    async prepare(database) {
      await database.run(sql`alter table payments drop constraint payments_authorization_key`)
      await database.run(sql`create function hide_nonce() returns trigger language plpgsql as
        $$ begin new.nonce := upper(new.nonce); return new; end $$`)
      await database.run(sql`create trigger hide_nonce before insert on payments
        for each row execute function hide_nonce()`)
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
  lapse: {
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
} satisfies Record<string, Break>

export type BreakName = keyof typeof BREAKS
