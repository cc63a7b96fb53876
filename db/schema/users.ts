import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** A wallet that signed in or paid. `address` is lower case. */
export const users = pgTable('users', {
  address: text('address').primaryKey(),
  createdAt: instant('created_at').notNull().defaultNow(),
  lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
})
