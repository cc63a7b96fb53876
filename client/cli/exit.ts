import { DEV_NETWORK } from '../../protocol/networks.ts'
import { KeystoreError, ReceiptError, UsageError, WrapError, type WrapFault } from '../node/errors.ts'
import { PROGRAM } from '../node/program.ts'
import { proxyHint } from '../node/proxy.ts'
import {
  BudgetError,
  ConnectionError,
  InsufficientFundsError,
  ProblemError,
  type Shortage,
  SpendCapError,
  UnfinishedError,
} from '../src/errors.ts'
import { isFromProxy } from '../src/purchase/policy.ts'
import { StoppedError } from './stop.ts'
import { visibleOn } from './terminal.ts'

/** The exit codes. The README lists them too. */
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

const WRAP_EXIT: Readonly<Record<WrapFault, number>> = {
  wrong_chain: EXIT.limit,
  no_wrapper: EXIT.usage,
  too_little: EXIT.limit,
  no_gas: EXIT.limit,
  refused: EXIT.refused,
  reverted: EXIT.unexpected,
  replaced: EXIT.unexpected,
  unmined: EXIT.unfinished,
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof StoppedError) return error.exitCode
  if (error instanceof UsageError || error instanceof KeystoreError) return EXIT.usage
  const isLimit = [SpendCapError, BudgetError, InsufficientFundsError].some((kind) => error instanceof kind)
  if (isLimit) return EXIT.limit
  if (error instanceof ConnectionError) return EXIT.noConnection
  if (error instanceof UnfinishedError) return EXIT.unfinished
  if (error instanceof ReceiptError) return EXIT.badReceipt
  if (error instanceof WrapError) return WRAP_EXIT[error.fault]
  if (!(error instanceof ProblemError)) return EXIT.unexpected
  return error.problem.code === 'inference_failed' ? EXIT.failedAfterPayment : EXIT.refused
}

/** The error for people: what it is, and what can be done. */
export function describeError(error: unknown): string {
  if (error instanceof ProblemError) return problemText(error)
  if (error instanceof ConnectionError) return `${error.message}${reasonOf(error)}\n  ${proxyHint(process.env)}`
  const paymentId = keptPayment(error)
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof InsufficientFundsError) return `${message}${wrapText(error.shortage)}`
  return paymentId === undefined ? message : `${message}\n  ${PROGRAM} run --resume ${paymentId}`
}

/** How to wrap what is missing. `wrap` finds the node and the contract by itself on a local stack only. */
function wrapText({ wrap, network, asset }: Shortage): string {
  if (wrap === null) return ''
  const flags = network === DEV_NETWORK ? '' : ` --aic-token ${asset} --rpc URL`
  return `\n  ${PROGRAM} wrap ${wrap}${flags}\n  The service reads balances again after ten seconds: do not wrap twice.`
}

const keptPayment = (error: unknown): string | undefined =>
  error instanceof UnfinishedError || error instanceof StoppedError ? error.paymentId : undefined

/** Why there was no connection, in the system's own short word, e.g. ` (ECONNREFUSED)`. */
function reasonOf(error: Error): string {
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return ` (${cause.code})`
  }
  return ''
}

function problemText({ problem }: ProblemError): string {
  if (isFromProxy(problem)) return `${problem.detail}. This is not an answer of Coinslot: is the address right?`
  const lines = [`${problem.code}: ${problem.detail}`]
  const faults = (problem.errors ?? []).map(({ path, message }) => `${path}: ${message}`)
  for (const fault of faults) if (fault !== problem.detail) lines.push(`  ${fault}`)
  if (problem.paymentState === 'unused' && !problem.detail.includes('Nothing was charged'))
    lines.push('  Nothing was charged.')
  if (problem.code === 'payment_rejected') {
    lines.push('  Once that is fixed, the same command sends the signed payment again while it is valid;')
    lines.push(`  \`${PROGRAM} payments\` lists it, and --new-payment signs another.`)
  }
  if (problem.statusUrl !== undefined) lines.push(`  The record: ${problem.statusUrl}`)
  if (problem.requestId !== undefined) lines.push(`  Request id: ${problem.requestId}`)
  return lines.join('\n')
}

/** Writes an error to stderr, for people or for programs. */
export function printError(error: unknown, isJson: boolean): void {
  const text = isJson ? JSON.stringify(errorJson(error)) : visibleOn(process.stderr, describeError(error))
  process.stderr.write(`${text}\n`)
}

function errorJson(error: unknown): unknown {
  const name = error instanceof Error ? error.name : 'Error'
  const message = error instanceof Error ? error.message : String(error)
  const problem = error instanceof ProblemError ? { problem: error.problem.document } : {}
  const paymentId = keptPayment(error)
  const kept = {
    ...(paymentId !== undefined && { paymentId }),
    ...(error instanceof UnfinishedError && { inferenceId: error.inferenceId }),
    ...(error instanceof InsufficientFundsError && { shortage: error.shortage }),
    ...(error instanceof WrapError && { fault: error.fault, transaction: error.transaction }),
  }
  return { error: { name, message, ...problem, ...kept } }
}
