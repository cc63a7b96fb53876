import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Database } from '../../db/client.ts'
import { type InProcessDatabase, openInProcessDatabase } from './in-process-database.ts'

/** A migrated database for the tests of a file, emptied before each of them. To be called while the file is read. */
export function useDatabase(): { readonly database: Database } {
  let opened: InProcessDatabase
  beforeAll(async () => {
    opened = await openInProcessDatabase()
  })
  afterAll(() => opened?.close())
  beforeEach(() => opened.reset())
  return {
    get database() {
      return opened.database
    },
  }
}
