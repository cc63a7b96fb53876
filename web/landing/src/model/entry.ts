import { USDC_DECIMALS } from '../../../../protocol/money.ts'
import { aicFor, leftIn, type Phase, worth } from '../../../shared/chain-reads/sale.ts'
import { readAmount } from '../../../shared/money.ts'
import type { Own } from './sale.ts'

/** Why an amount cannot be bought. */
export type EntryFault = 'malformed' | 'too_small' | 'over_wallet_cap' | 'over_phase' | 'over_balance'

export type Entry =
  | { at: 'empty' }
  | { at: 'fault'; fault: EntryFault; aic: bigint }
  | { at: 'good'; usdc: bigint; aic: bigint }

/**
 * The USDC a wallet can still spend in a phase: the smallest of its cap, the phase's rest and its USDC. 0 when that is below the
 * smallest purchase, unless it is all that the phase has left.
 */
export function mostFor(phase: Phase, own: Own | null, minPurchase: bigint): bigint {
  const rest = worth(leftIn(phase), phase.price)
  const most = own === null ? smallest(rest, phase.walletCap) : smallest(rest, leftForWallet(phase, own), own.usdc)
  return most < minPurchase && most !== rest ? 0n : most
}

const smallest = (...all: readonly bigint[]): bigint => all.toSorted((a, b) => Number(a - b))[0] ?? 0n

export const leftForWallet = (phase: Phase, own: Own): bigint => phase.walletCap - (own.spentIn[phase.id - 1] ?? 0n)

/** Reads an amount of USDC, and checks it as the contract would. */
export function readEntry(written: string, phase: Phase, own: Own | null, minPurchase: bigint): Entry {
  const text = written.trim()
  if (text === '') return { at: 'empty' }
  const usdc = readAmount(text, USDC_DECIMALS)
  if (usdc === null) return { at: 'fault', fault: 'malformed', aic: 0n }
  const aic = aicFor(usdc, phase.price)
  const fault = faultOf(usdc, aic, phase, own, minPurchase)
  return fault === null ? { at: 'good', usdc, aic } : { at: 'fault', fault, aic }
}

function faultOf(usdc: bigint, aic: bigint, phase: Phase, own: Own | null, minPurchase: bigint): EntryFault | null {
  const rest = worth(leftIn(phase), phase.price)
  if (aic > leftIn(phase)) return 'over_phase'
  if (usdc < minPurchase && usdc !== rest) return 'too_small'
  if (usdc > (own === null ? phase.walletCap : leftForWallet(phase, own))) return 'over_wallet_cap'
  return own !== null && usdc > own.usdc ? 'over_balance' : null
}
