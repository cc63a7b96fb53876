/** Values of the database's enums, apart from the tables: the queries need the words, and not what draws up tables. */
export const TASK_TYPES = ['text-to-image', 'text-to-text', 'text-to-sound'] as const
export const OUTPUT_TYPES = ['text', 'image', 'audio'] as const
export const INFERENCE_STATUSES = ['pending', 'succeeded', 'failed'] as const
export const PAYMENT_STATES = ['claimed', 'settling', 'unknown', 'settled', 'done', 'owed', 'rejected'] as const
