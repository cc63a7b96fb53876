import { timestamp } from 'drizzle-orm/pg-core'

/** A point in time with its zone, read as `Date`. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
