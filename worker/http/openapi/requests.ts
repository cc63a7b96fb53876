import * as z from 'zod'
import { once } from '../../../db/once.ts'
import type { HistoryPlace } from '../../../db/queries/history.ts'
import { inferenceStatus, taskType } from '../../../db/schema/columns.ts'
import { fromBase64, toBase64Url } from '../../../protocol/base64.ts'
import { journalStates } from '../../domain/purchase/state-machine.ts'

const MAX_SIGNATURE_BYTES = 8192

/** Hex of whole bytes; bounded, since a contract wallet's signature may have any length. */
const makeSignature = () =>
  z
    .templateLiteral(['0x', z.string().regex(/^([0-9a-fA-F]{2})*$/)], '0x and two hex digits for each byte')
    .refine((text) => text.length <= 2 + 2 * MAX_SIGNATURE_BYTES, 'Too long')

/** The body of a sign-in. */
export const signInBody = once(() =>
  z.strictObject({ message: z.string().min(1).max(8192), signature: makeSignature() }),
)

/** The parts that a share shows beside the result. */
export const shareBody = once(() => z.strictObject({ showsPrompt: z.boolean() }))

const MAX_SEARCH = 200

const placePattern = /^(\d{1,17})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

/** A cursor is the place of the last row seen, in base64url, so that its content stays ours to change. */
export const encodeCursor = ({ micros, id }: HistoryPlace): string =>
  toBase64Url(new TextEncoder().encode(`${micros}.${id}`))

function decodeCursor(cursor: string): HistoryPlace | null {
  const bytes = fromBase64(cursor)
  const [, micros, id] = placePattern.exec(bytes === null ? '' : new TextDecoder().decode(bytes)) ?? []
  return micros === undefined || id === undefined ? null : { micros: BigInt(micros), id }
}

const makeCursor = () =>
  z.string().transform((text, context): HistoryPlace => {
    const place = decodeCursor(text)
    if (place !== null) return place
    context.addIssue('Not a cursor of this list')
    return z.NEVER
  })

/** How many rows a page has where the call does not say. */
export const HISTORY_ROWS = 20
export const OPERATOR_ROWS = 50

/** How many rows a page has; a query is text. */
const makeLimit = (rows: number) =>
  z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'An integer from 1 to 100')
    .transform(Number)
    .optional()
    .describe(`At most 100. Default: ${rows}.`)

/** A text to search prompts for. PostgreSQL's text cannot hold NUL. */
const makeSearchText = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(MAX_SEARCH)
    .regex(/^[^\0]*$/, 'No NUL')

/** The query of a wallet's own history. */
export const historyQuery = once(() =>
  z.strictObject({
    limit: makeLimit(HISTORY_ROWS),
    cursor: makeCursor().optional(),
    task: z.enum(taskType.enumValues).optional(),
    status: z.enum(inferenceStatus.enumValues).optional(),
    q: makeSearchText().optional(),
    /** `csv`: all of them in one file. */
    format: z.enum(['json', 'csv']).optional(),
  }),
)

const makePage = () =>
  z.strictObject({
    limit: makeLimit(OPERATOR_ROWS),
    /** PostgreSQL has no year 0. */
    before: z.iso
      .datetime()
      .refine((time) => !time.startsWith('0000'), 'A year from 0001 on')
      .optional(),
  })

/** The queries of an operator's lists. */
export const adminPaymentsQuery = once(() => makePage().extend({ state: z.enum(journalStates).optional() }))
export const adminInferencesQuery = once(() =>
  makePage().extend({ status: z.enum(['pending', 'succeeded', 'failed']).optional() }),
)
