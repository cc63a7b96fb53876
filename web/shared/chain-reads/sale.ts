/** States of a sale, in the order of the contract's enum. */
export const SALE_STATES = ['waiting', 'open', 'paused', 'cooling_off', 'ended', 'finalized', 'cancelled'] as const
export type SaleStateName = (typeof SALE_STATES)[number]

/** A phase of a sale. Amounts are atomic units, times Unix seconds. */
export interface Phase {
  id: number
  start: number
  end: number
  /** Atomic USDC per whole AIC. */
  price: bigint
  cap: bigint
  walletCap: bigint
  soldAic: bigint
}

const ATOMIC_AIC = 10n ** 18n
const PRICE_STEP = 1n

/** AIC for USDC at a price, rounded down as the contract does. */
export const aicFor = (usdc: bigint, price: bigint): bigint => (usdc * ATOMIC_AIC) / price

/** USDC for AIC at a price, rounded down as the contract does. */
export const worth = (aic: bigint, price: bigint): bigint => (aic * price) / ATOMIC_AIC

/** USDC that all phases together can raise. */
export const hardCapOf = (phases: readonly Pick<Phase, 'cap' | 'price'>[]): bigint =>
  phases.reduce((sum, { cap, price }) => sum + worth(cap, price), 0n)

export const leftIn = ({ cap, soldAic }: Pick<Phase, 'cap' | 'soldAic'>): bigint => cap - soldAic

/** A rest below one unit of USDC counts as sold. */
export const isSoldOut = (phase: Phase): boolean => worth(leftIn(phase), phase.price) < PRICE_STEP
