import type { RolesState } from '../reads/roles.ts'
import type { ClaimState, SaleState, VaultState } from '../reads/state.ts'
import { spanOf, type Terms } from './vesting.ts'

const MAX_TGE_DELAY_SECONDS = 90 * 86_400

export type DateKind =
  | { kind: 'phaseStarts' | 'phaseEnds'; phase: number }
  | { kind: 'pauseEnds' | 'saleEnds' | 'coolingOffEnds' | 'tge' | 'tgeAtLatest' | 'unsoldMoves' }
  | { kind: 'cliffEnds' | 'allFree'; allocation: string }
  | { kind: 'adminAccepts'; contract: string }

/** A date that is still to come. */
export type Upcoming = DateKind & { at: number }

interface Sources {
  sale: SaleState | null
  claims: ClaimState | null
  vaults: readonly VaultState[] | null
  roles: RolesState | null
}

/** When the time of the last phase is over, Unix seconds. */
const endOf = ({ phases }: SaleState): number => Math.max(0, ...phases.map(({ end }) => end))

/** The earliest moment at which the sale can be final, Unix seconds. */
export const coolingOffUntil = (sale: SaleState): number => endOf(sale) + sale.coolingOff

/** The name of the buyers' part of the AIC. */
export const INVESTORS = 'Investors'

/** All dates after `now` that the contracts fix, the next first. */
export function upcomingDates({ sale, claims, vaults, roles }: Sources, now: number): Upcoming[] {
  const all: Upcoming[] = []
  const isOver = sale?.name === 'finalized' || sale?.name === 'cancelled'
  if (sale !== null && !isOver) {
    for (const { id, start, end } of sale.phases) {
      all.push({ kind: 'phaseStarts', phase: id, at: start }, { kind: 'phaseEnds', phase: id, at: end })
    }
    const final = coolingOffUntil(sale)
    all.push({ kind: 'pauseEnds', at: sale.pausedUntil }, { kind: 'saleEnds', at: endOf(sale) })
    // The TGE is counted from the moment someone finalizes the sale: it cannot be much later than that.
    all.push({ kind: 'coolingOffEnds', at: final }, { kind: 'tgeAtLatest', at: final + MAX_TGE_DELAY_SECONDS })
  }
  const tge = claims?.tge ?? 0
  if (claims !== null && tge > 0) {
    all.push({ kind: 'tge', at: tge }, { kind: 'unsoldMoves', at: claims.unsoldFrom })
    const investors = { allocation: INVESTORS, terms: { ...claims, amount: 0n } }
    const others = (vaults ?? []).flatMap(({ schedules }) =>
      schedules.map((terms) => ({ allocation: terms.name, terms })),
    )
    for (const { allocation, terms } of [investors, ...others]) all.push(...unlocksOf(allocation, terms, tge))
  }
  for (const { contract, pending } of roles?.admins ?? []) {
    if (pending !== null) all.push({ kind: 'adminAccepts', contract, at: pending.from })
  }
  return all.filter(({ at }) => at > now).sort((a, b) => a.at - b.at)
}

function unlocksOf(allocation: string, terms: Terms, tge: number): Upcoming[] {
  const end: Upcoming = { kind: 'allFree', allocation, at: tge + spanOf(terms) }
  if (terms.cliff === 0 || terms.duration === 0) return [end]
  return [{ kind: 'cliffEnds', allocation, at: tge + terms.cliff }, end]
}
