import { pgEnum, timestamp } from 'drizzle-orm/pg-core'

// Apart from the tables: the worker needs the enums alone, and a table would add every kind of column to its bundle.
export const taskType = pgEnum('task_type', ['text-to-image', 'text-to-text', 'text-to-sound'])
export const outputType = pgEnum('output_type', ['text', 'image', 'audio'])
export const inferenceStatus = pgEnum('inference_status', ['pending', 'succeeded', 'failed'])
export const paymentState = pgEnum('payment_state', [
  'claimed',
  'settling',
  'unknown',
  'settled',
  'done',
  'owed',
  'rejected',
])

/** A point in time with its zone, read as `Date`. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
