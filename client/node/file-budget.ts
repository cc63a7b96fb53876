import { formatAmount, parseAmount, USDC_DECIMALS } from '../../protocol/money.ts'
import type { Budget } from '../src/budget.ts'
import { BudgetError } from '../src/errors.ts'
import type { State } from './state.ts'

/** A budget is for any 24 hours, so that a new day does not double it. */
const DAY_MS = 24 * 60 * 60 * 1_000

/** Atomic units of USDC that a wallet signed in the last 24 hours, whether they were charged or not. */
export function spentToday({ database }: State, payer: string, now = Date.now()): bigint {
  const statement = database.prepare(
    'select coalesce(sum(amount_atomic), 0) as total from spendings where payer = ? and taken_at > ?',
  )
  statement.setReadBigInts(true)
  const total = statement.get(payer, now - DAY_MS)?.['total']
  if (typeof total !== 'bigint') throw new TypeError('a sum that is not a number')
  return total
}

/**
 * A budget per wallet and 24 hours, kept in the state: all processes that open it count together. `limitUsdc` is a decimal string.
 * With null the payments are counted without a limit.
 */
export function fileBudget(state: State, limitUsdc: string | null, now: () => number = Date.now): Budget {
  const limit = limitUsdc === null ? null : parseAmount(limitUsdc, USDC_DECIMALS)
  return {
    reserve: async ({ paymentId, amountAtomic, payer }) =>
      state.exclusive(() => {
        const spent = spentToday(state, payer, now())
        if (limit !== null && spent + amountAtomic > limit) throw new BudgetError(refusal(limit, spent, amountAtomic))
        state.database
          .prepare('insert into spendings (id, payer, amount_atomic, taken_at) values (?, ?, ?, ?)')
          .run(paymentId, payer, amountAtomic, now())
      }),
    cancel: async (id) => void state.database.prepare('delete from spendings where id = ?').run(id),
  }
}

function refusal(limit: bigint, spent: bigint, amount: bigint): string {
  const usdc = (atomic: bigint): string => `${formatAmount(atomic, USDC_DECIMALS)} USDC`
  return (
    `The budget is ${usdc(limit)} in 24 hours, and ${usdc(spent)} of it was signed away. ` +
    `Another ${usdc(amount)} would exceed it. Nothing was signed.`
  )
}
