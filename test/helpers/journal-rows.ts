import * as z from 'zod'
import type { Row } from '../../db/client.ts'

const answerSchema = z.object({ kind: z.string().optional(), payment: z.record(z.string(), z.unknown()) })

/**
 * The journal's row, by the names of its columns, that a row of a statement's answer holds, and with it the `kind` of a claim. Null of an
 * answer without one.
 */
export function journalRowIn(row: Row | undefined): z.infer<typeof answerSchema> | null {
  const answer = answerSchema.safeParse(row?.['answer'])
  if (answer.success) return answer.data
  const columns = Object.entries(row ?? {}).filter(([name]) => name.startsWith('p_'))
  if (columns.length === 0) return null
  return { payment: Object.fromEntries(columns.map(([name, value]) => [name.slice('p_'.length), value])) }
}
