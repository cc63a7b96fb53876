import { startNeonServer } from '../../dev/neon/server.ts'
import { runService } from '../../dev/process/service.ts'
import { type StubOptions, startStubs } from './stubs.ts'

interface Options extends StubOptions {
  /** A PostgreSQL, or PGlite, to put behind Neon's protocol; without one every statement finds nothing. */
  databaseUrl?: string
  pglite?: boolean
}

/** All stubs of a benchmark as one process, so that what they cost is not counted for the load generator or the worker. */
await runService(async ({ databaseUrl, pglite = false, ...options }: Options) => {
  const stubs = await startStubs(options)
  if (databaseUrl === undefined && !pglite) return { ...stubs, databaseHttpUrl: `${stubs.url}/sql`, databaseUrl: '' }
  const database = await startNeonServer(databaseUrl === undefined ? {} : { databaseUrl })
  return {
    ...stubs,
    databaseHttpUrl: database.url,
    databaseUrl: database.databaseUrl,
    close: async () => {
      await Promise.all([stubs.close(), database.close()])
    },
  }
})
