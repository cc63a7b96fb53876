import { type Database, DatabaseUnavailable } from '../../../db/client.ts'

/** A database that is away: for code that must not need one, and for outages. */
export const downDatabase: Database = {
  run: async () => Promise.reject(new DatabaseUnavailable('the test database is down')),
  batch: async () => Promise.reject(new DatabaseUnavailable('the test database is down')),
}
