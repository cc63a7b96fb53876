import { type Address, getAddress, type Hex } from 'viem'
import { type ChainEvent, named } from '../reads/events.ts'
import { type Buckets, bucketsOf } from './days.ts'

const WHOLE_AIC = 10n ** 18n

export interface Purchase {
  buyer: Address
  phaseId: number
  usdc: bigint
  aic: bigint
  /** Atomic USDC per whole AIC, rounded down. */
  price: bigint
  /** Who sent the transaction, when that was not the buyer. */
  relayer: Address | null
  at: number
  block: bigint
  transaction: Hex
}

/** All purchases, the newest first. */
export function purchasesOf(events: readonly ChainEvent[]): Purchase[] {
  return named(events, 'Purchased')
    .map(({ args, at, block, transaction }) => {
      const { buyer, phaseId, usdcAmount: usdc, aicAmount: aic, relayer } = args
      return {
        ...{ buyer: getAddress(buyer), phaseId: Number(phaseId), usdc, aic, at, block, transaction },
        price: aic === 0n ? 0n : (usdc * WHOLE_AIC) / aic,
        relayer: relayer.toLowerCase() === buyer.toLowerCase() ? null : getAddress(relayer),
      }
    })
    .reverse()
}

/** USDC that came in by day, one series for each phase. Refunds are not subtracted: they are shown apart. */
export function raisedByDay(purchases: readonly Purchase[], phases: number, until: number): Buckets {
  return bucketsOf(
    purchases.map(({ at, phaseId, usdc }) => ({ at, series: phaseId - 1, amount: usdc })),
    phases,
    until,
  )
}

export interface Buyer {
  address: Address
  usdc: bigint
  aic: bigint
  purchases: number
}

/** Everyone who bought and did not take the money back, the largest first. */
export function buyersOf(events: readonly ChainEvent[]): Buyer[] {
  const buyers = new Map<Address, Buyer>()
  for (const event of events) {
    if (event.eventName === 'Refunded') buyers.delete(getAddress(event.args.buyer))
    if (event.eventName !== 'Purchased') continue
    const address = getAddress(event.args.buyer)
    const before = buyers.get(address) ?? { address, usdc: 0n, aic: 0n, purchases: 0 }
    buyers.set(address, {
      address,
      usdc: before.usdc + event.args.usdcAmount,
      aic: before.aic + event.args.aicAmount,
      purchases: before.purchases + 1,
    })
  }
  return [...buyers.values()].sort((a, b) => Number(b.usdc - a.usdc))
}

/** All refunds, atomic USDC. */
export const refunded = (events: readonly ChainEvent[]): bigint =>
  named(events, 'Refunded').reduce((sum, { args }) => sum + args.usdcAmount, 0n)

const COLUMNS = [
  'time',
  'buyer',
  'phase',
  'usdc_atomic',
  'aic_atomic',
  'price_atomic',
  'relayer',
  'block',
  'transaction',
]

/** The purchases as a CSV file with atomic amounts, which no spreadsheet rounds as text. */
export function purchasesCsv(purchases: readonly Purchase[]): string {
  const rows = purchases.map(({ at, buyer, phaseId, usdc, aic, price, relayer, block, transaction }) =>
    [new Date(at * 1_000).toISOString(), buyer, phaseId, usdc, aic, price, relayer ?? buyer, block, transaction].join(),
  )
  return `${[COLUMNS.join(), ...rows].join('\r\n')}\r\n`
}
