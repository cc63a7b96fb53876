import { pgEnum } from 'drizzle-orm/pg-core'

// Apart from the tables, since the worker needs these alone: a table brings every kind of column into its bundle.
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
