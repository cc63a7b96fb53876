import { fields, maybeFields, maybeStr, num, oneOf, str } from '../../../../shared/shape.ts'
import { TIERS, type Tier } from './models.ts'

export interface Account {
  address: string
  chainId: number
  /** Null, as each balance, if the chain did not answer. */
  stakedAic: string | null
  heldAic: string | null
  tier: Tier
  discountPct: string
  effectiveRateUsdc: string
  balances: { usdc: string | null; aic: string | null }
  spent: { usdc: string; aic: string }
}

export function readAccount(body: unknown): Account {
  const from = fields(body)
  const balances = maybeFields(from, 'balances') ?? {}
  const spent = maybeFields(from, 'spent') ?? {}
  return {
    address: str(from, 'address'),
    chainId: num(from, 'chainId'),
    stakedAic: maybeStr(from, 'stakedAic'),
    heldAic: maybeStr(from, 'heldAic'),
    tier: oneOf(from['tier'], TIERS, 'free'),
    discountPct: str(from, 'discountPct'),
    effectiveRateUsdc: str(from, 'effectiveRateUsdc'),
    balances: { usdc: maybeStr(balances, 'usdc'), aic: maybeStr(balances, 'aic') },
    spent: { usdc: maybeStr(spent, 'usdc') ?? '0', aic: maybeStr(spent, 'aic') ?? '0' },
  }
}
