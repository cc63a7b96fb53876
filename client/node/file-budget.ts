import type { Budget } from '../src/budget.ts'
import { BudgetError } from '../src/errors.ts'
import { formatAmount, parseAmount, USDC_DECIMALS } from '../src/money.ts'
import type { State } from './state.ts'

/** The length of the window that a budget is for: any 24 hours, so that midnight does not double it. */
const DAY_MS = 24 * 60 * 60 * 1_000

/** Atomic units of USDC that a wallet spent, or may still spend with what it signed, in the last 24 hours. */
export function spentToday({ database }: State, payer: string, now = Date.now()): bigint {
  const statement = database.prepare(
    `select coalesce(sum(amount_atomic), 0) as total from spendings
     where payer = ? and taken_at > ? and (lapses_at is null or lapses_at > ?)`,
  )
  statement.setReadBigInts(true)
  const total = statement.get(payer, now - DAY_MS, now)?.['total']
  if (typeof total !== 'bigint') throw new TypeError('a sum that is not a number')
  return total
}

/**
 * A budget per wallet and 24 hours, kept in the state: every process that opens it counts against the same sum. `limitUsdc` is a
 * decimal string; with null the payments are only counted.
 */
export function fileBudget(state: State, limitUsdc: string | null, now: () => number = Date.now): Budget {
  const limit = limitUsdc === null ? null : parseAmount(limitUsdc, USDC_DECIMALS)
  const ends = state.database.prepare('update spendings set lapses_at = ? where id = ?')
  return {
    reserve: async ({ paymentId, amountAtomic, payer }) =>
      state.alone(() => {
        const spent = spentToday(state, payer, now())
        if (limit !== null && spent + amountAtomic > limit) throw new BudgetError(refusal(limit, spent, amountAtomic))
        state.database
          .prepare('insert into spendings (id, payer, amount_atomic, taken_at) values (?, ?, ?, ?)')
          .run(paymentId, payer, amountAtomic, now())
      }),
    cancel: async (id) => void state.database.prepare('delete from spendings where id = ?').run(id),
    expire: async (id, at) => void ends.run(at * 1_000, id),
    hold: async (id) => void ends.run(null, id),
  }
}

function refusal(limit: bigint, spent: bigint, amount: bigint): string {
  const usdc = (atomic: bigint): string => `${formatAmount(atomic, USDC_DECIMALS)} USDC`
  return (
    `The budget is ${usdc(limit)} in 24 hours, and ${usdc(spent)} of it are taken: ` +
    `${usdc(amount)} more do not fit. Nothing was signed.`
  )
}
