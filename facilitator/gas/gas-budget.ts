import type { InFlight, RevertHistory } from '../store/store.ts'

/** Gas that reverted transactions may cost in an hour. */
export interface GasBudget {
  /** Of one payer. */
  perPayer: bigint
  /** Of all payers with code that have no credit, with what is in flight for them. */
  onTrial: bigint
  /** Of one network, over all its keys. Above it only payers with credit are settled. */
  perNetwork: bigint
}

export const DEFAULT_GAS_BUDGET: GasBudget = { perPayer: 500_000n, onTrial: 1_000_000n, perNetwork: 10_000_000n }

export const BUDGET_PERIOD_MS = 3_600_000
/** How long a payer with code is refused after one of its transactions reverted, and how long reverts are remembered. */
export const BRAKE_MS = 24 * 3_600_000
/** How long a payer keeps its credit after its last settlement. */
export const CREDIT_MS = 30 * 24 * 3_600_000

/** A payer with code may have at most this many times its credit in flight: one settled payment covers the next one's estimate. */
const CREDIT_FACTOR = 2n

/** A payment that may be sent. */
export interface Candidate {
  payer: string
  /** A contract wallet, or a plain account that delegates to code (EIP-7702). It can decide on chain whether to pay. */
  hasCode: boolean
  /** Its part of the transaction's gas limit; zero while that is not known. */
  gas: bigint
}

export type Decision = { refusal: string } | { isTrial: boolean }

/**
 * Decides whether the budget allows a settlement. A payer without code can make a transaction revert only by a transaction that it
 * pays for itself. A payer with code can do it for free, so it needs credit from settlements that succeeded, or room in the trial
 * budget, which is shared and holds one transaction per payer.
 */
export function decide(
  budget: GasBudget,
  history: RevertHistory,
  inFlight: readonly Pick<InFlight, 'payer' | 'gas' | 'isTrial'>[],
  { payer, hasCode, gas }: Candidate,
  now: Date,
): Decision {
  const { payerRevertedAt, payerLost, networkLost, trialLost, credit } = history
  if (history.hasReverted) return { refusal: 'authorization_reverted' }
  if (payerLost >= budget.perPayer) return { refusal: 'payer_gas_budget_exhausted' }
  if (networkLost >= budget.perNetwork && credit === 0n) return { refusal: 'gas_budget_exhausted' }
  if (!hasCode) return { isTrial: false }
  if (payerRevertedAt !== null && now.getTime() - payerRevertedAt.getTime() < BRAKE_MS) {
    return { refusal: 'payer_reverted_before' }
  }
  const ofPayer = inFlight.filter((entry) => entry.payer === payer)
  const withThis = gasOf(ofPayer) + gas
  if (withThis <= CREDIT_FACTOR * credit && withThis <= budget.perPayer && credit > 0n) return { isTrial: false }
  if (ofPayer.length > 0) return { refusal: 'payer_has_open_settlement' }
  const atRisk = trialLost + gasOf(inFlight.filter(({ isTrial }) => isTrial)) + gas
  return atRisk > budget.onTrial ? { refusal: 'trial_gas_budget_exhausted' } : { isTrial: true }
}

const gasOf = (list: readonly { gas: bigint }[]): bigint => list.reduce((sum, { gas }) => sum + gas, 0n)
