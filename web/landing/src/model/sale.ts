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
  /** Until when buyers can leave because the pause was used up. */
  leavingUntil: number
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
  | { at: 'sold_out'; phase: Phase; next: Phase | null }
  | { at: 'between'; next: Phase }
  | { at: 'paused'; until: number }
  | { at: 'ended' }
  | { at: 'missed' }
  | { at: 'finalized' }
  | { at: 'cancelled' }

/** The stage of a sale at a time (Unix seconds). `lead` is the phase that the page leads with; the one that runs is sold. */
export function stageOf(sale: Sale, lead: number, now: number): Stage {
  if (sale.state === 'finalized' || sale.state === 'cancelled') return { at: sale.state }
  if (sale.state === 'ended') return { at: sale.raised < sale.softCap ? 'missed' : 'ended' }
  if (sale.state === 'paused') return { at: 'paused', until: sale.pausedUntil }
  const running = sale.phases.find((phase) => runs(phase, now))
  const next = sale.phases.find(({ start }) => start > now) ?? null
  if (running !== undefined) {
    if (isSoldOut(running)) return { at: 'sold_out', phase: running, next }
    return { at: 'open', phase: running, isOther: running.id !== lead }
  }
  if (next === null) return { at: sale.raised < sale.softCap ? 'missed' : 'ended' }
  return next.id === 1 ? { at: 'waiting', phase: next } : { at: 'between', next }
}

/** The phase that is sold, or that is sold next; null when nothing is sold any more. */
export function phaseOnSale(sale: Sale, lead: number, now: number): Phase | null {
  const stage = stageOf(sale, lead, now)
  if (stage.at === 'between') return stage.next
  if ('phase' in stage) return stage.phase
  return stage.at === 'paused' ? (sale.phases.find(({ end }) => end > now) ?? null) : null
}

/** True if buyers can take their USDC back before the sale is final, because the pause was used up: as `Presale._canLeave`. */
export const canLeave = (sale: Sale, now: number): boolean =>
  (sale.state === 'open' || sale.state === 'waiting' || sale.state === 'ended') &&
  now >= sale.pausedUntil &&
  now < sale.leavingUntil

/** The actions that a sale offers a person. */
export type Offer = 'buy' | 'finish' | 'refund' | 'claim'

/** All that the contracts accept now. A sale can be finished only when buyers can no longer leave. */
export function offersOf(sale: Sale, lead: number, now: number): readonly Offer[] {
  const { at } = stageOf(sale, lead, now)
  const leaves: readonly Offer[] = canLeave(sale, now) ? ['refund'] : []
  if (at === 'open') return ['buy', ...leaves]
  if (at === 'cancelled' || at === 'missed') return ['refund']
  if (at === 'finalized') return ['claim']
  return at === 'ended' && leaves.length === 0 ? ['finish'] : leaves
}
