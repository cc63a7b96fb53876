import { isSoldOut, type Phase, type SaleStateName } from '../../../shared/chain-reads/sale.ts'

/** Amounts are atomic units, times Unix seconds; 0 means that there is no such time. */
export interface Sale {
  state: SaleStateName
  raised: bigint
  sold: bigint
  softCap: bigint
  minPurchase: bigint
  phases: readonly Phase[]
  pausedUntil: number
  /** Seconds after the end of the last phase in which the sale cannot be final. */
  coolingOff: number
}

/** One wallet's part in the sale. */
export interface Own {
  /** USDC that it holds. */
  usdc: bigint
  /** The AIC it bought in all phases. */
  boughtAic: bigint
  boughtUsdc: bigint
  /** USDC spent in each phase, in order. */
  spentIn: readonly bigint[]
  /** Of its AIC: all of it, what is free by now, what was claimed. */
  total: bigint
  vested: bigint
  claimed: bigint
}

const runs = ({ start, end }: Phase, now: number): boolean => now >= start && now < end

/** What the top of the page says and offers. */
export type Stage =
  | { at: 'waiting'; phase: Phase }
  | { at: 'open'; phase: Phase; isOther: boolean }
  | { at: 'sold_out'; phase: Phase; next: Phase }
  | { at: 'all_sold'; phase: Phase; until: number }
  | { at: 'between'; next: Phase }
  | { at: 'paused'; until: number }
  | { at: 'cooling_off'; until: number }
  | { at: 'ended' }
  | { at: 'missed' }
  | { at: 'finalized' }
  | { at: 'cancelled' }

/** When the time of the last phase is over, Unix seconds: `Presale.endsAt`. */
export const endOf = ({ phases }: Pick<Sale, 'phases'>): number => phases.at(-1)?.end ?? 0

/** The stage of a sale at a time (Unix seconds). `lead` is the phase that the page leads with; the one that runs is sold. */
export function stageOf(sale: Sale, lead: number, now: number): Stage {
  if (sale.state === 'finalized' || sale.state === 'cancelled') return { at: sale.state }
  if (sale.state === 'cooling_off' || sale.state === 'ended' || now >= endOf(sale)) return afterTheEnd(sale, now)
  if (sale.state === 'paused') return { at: 'paused', until: sale.pausedUntil }
  const running = sale.phases.find((phase) => runs(phase, now))
  const next = sale.phases.find(({ start }) => start > now) ?? null
  if (running !== undefined) {
    if (!isSoldOut(running)) return { at: 'open', phase: running, isOther: running.id !== lead }
    if (next === null) return { at: 'all_sold', phase: running, until: running.end }
    return { at: 'sold_out', phase: running, next }
  }
  if (next === null) return afterTheEnd(sale, now)
  return next.id === 1 ? { at: 'waiting', phase: next } : { at: 'between', next }
}

/** From the end until the sale is final. A sale that missed its soft cap cannot come back to it: nothing is sold any more. */
function afterTheEnd(sale: Sale, now: number): Stage {
  if (sale.raised < sale.softCap) return { at: 'missed' }
  const until = endOf(sale) + sale.coolingOff
  return sale.state === 'ended' || now >= until ? { at: 'ended' } : { at: 'cooling_off', until }
}

/** The phase that is sold, or that is sold next; null when nothing is sold any more. */
export function phaseOnSale(sale: Sale, lead: number, now: number): Phase | null {
  const stage = stageOf(sale, lead, now)
  if (stage.at === 'between') return stage.next
  if ('phase' in stage) return stage.phase
  return stage.at === 'paused' ? (sale.phases.find(({ end }) => end > now) ?? null) : null
}

/** The actions that a sale offers a person. */
export type Offer = 'buy' | 'finish' | 'refund' | 'claim'

/** All that the contracts accept now. */
export function offersOf(sale: Sale, lead: number, now: number): readonly Offer[] {
  switch (stageOf(sale, lead, now).at) {
    case 'open':
      return ['buy']
    case 'ended':
      return ['finish', 'refund']
    case 'cooling_off':
    case 'missed':
    case 'cancelled':
      return ['refund']
    case 'finalized':
      return ['claim']
    default:
      return []
  }
}

/** True while a refund is a choice, because the sale can still become final. */
export const isRefundAChoice = (sale: Sale, lead: number, now: number): boolean =>
  ['cooling_off', 'ended'].includes(stageOf(sale, lead, now).at)
