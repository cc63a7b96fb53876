import { startNeonServer } from '../../dev/neon/server.ts'
import { servePart } from '../../dev/part.ts'
import { type StubOptions, startStubs } from './stubs.ts'

interface Options extends StubOptions {
  /** A PostgreSQL to put behind Neon's protocol; without one every statement finds nothing. */
  databaseUrl?: string
}

/** All peers of a bench as one process, so that what they cost is not counted for the load generator or the worker. */
await servePart(async ({ databaseUrl, ...options }: Options) => {
  const stubs = await startStubs(options)
  if (databaseUrl === undefined) return { ...stubs, databaseHttpUrl: `${stubs.url}/sql` }
  const database = await startNeonServer({ databaseUrl })
  return {
    ...stubs,
    databaseHttpUrl: database.url,
    close: async () => {
      await Promise.all([stubs.close(), database.close()])
    },
  }
})
