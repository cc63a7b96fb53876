import { amountText } from '../../client/node/amount.ts'
import type { LocalStack } from '../../client/node/local-stack.ts'
import type { InferenceRecord } from '../../db/queries/inference-row.ts'
import type { Payment } from '../../db/queries/payment-row.ts'
import { paymentForAdmin } from '../../worker/domain/purchase/views/admin-view.ts'

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

/** A journal row for the operator: what the admin routes show, and what a search of the chain and a lease need. */
export function paymentView(payment: Payment) {
  const { createdAt, ...shared } = paymentForAdmin(payment)
  return {
    ...shared,
    claimedAt: createdAt,
    nonce: payment.nonce,
    validBefore: new Date(Number(payment.authorization.validBefore) * 1000).toISOString(),
    chainCheckedAt: iso(payment.chainCheckedAt),
    leaseUntil: iso(payment.leaseUntil),
  }
}

/** The status of the record, without input and output; null while there is no record. */
export const recordView = (record: InferenceRecord | null) =>
  record && { status: record.status, completedAt: iso(record.completedAt), error: record.error }

/** The local stack; its USDC has another address. */
export type Local = Pick<LocalStack, 'chainId' | 'usdc'> | null

/** The same, with the amount as people read it. */
export function readableView(payment: Payment, local: Local) {
  const view = paymentView(payment)
  return { ...view, amount: amountText(view, local) }
}

const COLUMNS = ['state', 'claimedAt', 'amount', 'payer', 'inferenceId', 'model'] as const

/** A line per row, with the reason or the noted refund at its end. */
export function table(payments: readonly Payment[], local: Local): string {
  if (payments.length === 0) return 'No payment matches.'
  const rows = payments.map((payment) => readableView(payment, local))
  const widths = COLUMNS.map((name) => Math.max(...rows.map((row) => row[name].length)))
  return rows
    .map((row) => {
      const cells = COLUMNS.map((name, index) => row[name].padEnd(widths[index] ?? 0))
      const note = row.resolvedAt === null ? row.reason : `refunded: ${row.resolution}`
      return [...cells, note ?? ''].join('  ').trimEnd()
    })
    .join('\n')
}

/** One name and value per line, without null values. */
export function listing(facts: Record<string, unknown>): string {
  const entries = Object.entries(facts).filter(([, value]) => value !== null)
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`).join('\n')
}

const shown = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
