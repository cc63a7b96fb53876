import { KeystoreError } from '../node/keystore.ts'
import { ReceiptError } from '../node/receipt.ts'
import {
  BudgetError,
  ConnectionError,
  InsufficientFundsError,
  ProblemError,
  SpendCapError,
  UnfinishedError,
} from '../src/errors.ts'
import { PROGRAM } from './program.ts'

/** A command line that cannot be obeyed. The message says what would be right. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** What a script can tell from the way the command ended; the README says the same. */
export const EXIT = {
  done: 0,
  unexpected: 1,
  usage: 2,
  refused: 3,
  limit: 4,
  noConnection: 5,
  unfinished: 6,
  failedAfterPayment: 7,
  badReceipt: 8,
} as const

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof KeystoreError) return EXIT.usage
  const isLimit = [SpendCapError, BudgetError, InsufficientFundsError].some((kind) => error instanceof kind)
  if (isLimit) return EXIT.limit
  if (error instanceof ConnectionError) return EXIT.noConnection
  if (error instanceof UnfinishedError) return EXIT.unfinished
  if (error instanceof ReceiptError) return EXIT.badReceipt
  if (!(error instanceof ProblemError)) return EXIT.unexpected
  return error.problem.code === 'inference_failed' ? EXIT.failedAfterPayment : EXIT.refused
}

/** The error for people: what it is, and what can be done. */
export function describeError(error: unknown): string {
  if (error instanceof ProblemError) return problemText(error)
  if (error instanceof UnfinishedError) return `${error.message}\n  ${PROGRAM} run --resume ${error.paymentId}`
  return error instanceof Error ? error.message : String(error)
}

function problemText({ problem }: ProblemError): string {
  const lines = [`${problem.code}: ${problem.detail}`]
  for (const { path, message } of problem.errors ?? []) lines.push(`  ${path}: ${message}`)
  if (problem.paymentState === 'unused') lines.push('  Nothing was charged.')
  if (problem.code === 'payment_rejected') {
    lines.push('  Once that is mended, the same command sends the signed payment again while it is valid;')
    lines.push(`  \`${PROGRAM} payments\` lists it, and --new-payment signs another.`)
  }
  if (problem.statusUrl !== undefined) lines.push(`  The record: ${problem.statusUrl}`)
  if (problem.requestId !== undefined) lines.push(`  Request id, for questions: ${problem.requestId}`)
  return lines.join('\n')
}

/** Writes an error to stderr, for people or for programs. */
export function tellError(error: unknown, isJson: boolean): void {
  process.stderr.write(`${isJson ? JSON.stringify(errorJson(error)) : describeError(error)}\n`)
}

function errorJson(error: unknown): unknown {
  const name = error instanceof Error ? error.name : 'Error'
  const message = error instanceof Error ? error.message : String(error)
  const problem = error instanceof ProblemError ? { problem: error.problem.document } : {}
  const kept = error instanceof UnfinishedError ? { paymentId: error.paymentId, inferenceId: error.inferenceId } : {}
  return { error: { name, message, ...problem, ...kept } }
}
