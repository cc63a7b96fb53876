import { fieldsAt, isFields, isText, isUuid, textAt } from '../json-fields.ts'
import { type Problem, readProblem } from '../problem.ts'
import { LONGEST_ASKED_MS } from '../retry.ts'
import type { Output, Result } from '../types.ts'

/** The outcome of one sending, or of reading the record. */
export type Outcome =
  | { kind: 'result'; result: Result }
  /** Settled. Read the record again after the wait. */
  | { kind: 'pending'; id: string; waitSeconds: number }
  | { kind: 'problem'; problem: Problem }

const isOutput = (value: unknown): value is Output =>
  isFields(value) &&
  (value['type'] === 'text'
    ? isText(value['text'])
    : (value['type'] === 'image' || value['type'] === 'audio') &&
      Array.isArray(value['urls']) &&
      value['urls'].every(isText))

const isResult = (value: unknown): value is Result =>
  isFields(value) &&
  isUuid(value['id']) &&
  value['status'] === 'succeeded' &&
  isOutput(value['output']) &&
  isText(fieldsAt(value, 'metrics')['estimatedCostUsdc'])

const POLL_SECONDS = 2

/** The outcome in the body of an answer or of the record. */
export function outcomeOf(body: unknown, status: number, retryAfter: string | null): Outcome {
  if (isResult(body)) return { kind: 'result', result: body }
  const standing = isFields(body) ? body : {}
  const id = isUuid(standing['id']) ? standing['id'] : undefined
  if (status >= 300 || id === undefined) return { kind: 'problem', problem: readProblem(body, status, retryAfter) }
  if (standing['status'] === 'failed') return { kind: 'problem', problem: failureOf(standing) }
  if (standing['nextAction'] === 'retry_same_payment') {
    const problem = readProblem({ ...standing, code: 'settlement_unknown', status: 503 }, 503)
    return { kind: 'problem', problem }
  }
  return { kind: 'pending', id, waitSeconds: waitSeconds(Number(retryAfter ?? Number.NaN)) }
}

/** The wait that the service asks for, from one second up to the longest: neither a loop without a pause nor a wait for days. */
const waitSeconds = (asked: number): number => (asked >= 1 ? Math.min(asked, LONGEST_ASKED_MS / 1_000) : POLL_SECONDS)

/** A failed record, as the problem that the paid call would have returned. */
function failureOf(record: Record<string, unknown>): Problem {
  const detail = textAt(fieldsAt(record, 'error'), 'detail') ?? 'The run failed.'
  const unpaid = record['paymentState'] === 'unused'
  const problem = unpaid
    ? { code: 'payment_rejected', status: 402, paymentState: 'unused', nextAction: 'sign_new_payment' }
    : { code: 'inference_failed', status: 502, paymentState: 'settled', nextAction: 'give_up' }
  return readProblem({ ...record, ...problem, detail }, problem.status)
}
