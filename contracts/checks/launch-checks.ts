import { type Address, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { type Minted, mintedFault } from './allocation.ts'
import type { LaunchPlan } from './launch-plan.ts'
import {
  CONTRACT_NAMES,
  type ContractName,
  isOfThisBuild,
  type PresaleAddresses,
  VAULTS,
  type VaultName,
} from './runtimes.ts'

export type CheckStatus = 'green' | 'red' | 'unknown'

export interface CheckResult {
  check: string
  /** Green only when it was shown; unknown when it could not be read. */
  status: CheckStatus
  detail: string
}

interface AdminFacts {
  admin: Address
  /** The zero address when no transfer is pending. */
  pending: Address
  /** `getThreshold()` of the admin; null when it has none. */
  threshold: bigint | null
  /** Seconds that a transfer of the role takes at least. */
  delay: number
  /** The delay that replaces it soon; null when no change is pending. */
  nextDelay: number | null
}

type Vesting = Pick<LaunchPlan['claims'], 'tgeBps' | 'cliff' | 'duration'>

interface VestingFacts {
  /** Of what buyers claim. */
  claims: Vesting
  vaults: LaunchPlan['schedules']
}

/** What was read from the chain. A part that could not be read is null. Amounts are atomic units. */
export interface LaunchFacts {
  addresses: PresaleAddresses
  code: Record<ContractName, Hex> | null
  /** What one contract says about another, such as `presale.vault`. */
  links: Record<string, { found: Address; expected: Address }> | null
  routes: readonly { vault: Address; bps: number }[] | null
  terms: { softCap: bigint; minPurchase: bigint; phases: LaunchPlan['phases'] } | null
  minted: readonly Minted[] | null
  vesting: VestingFacts | null
  claims: { held: bigint; claimed: bigint; owed: bigint } | null
  admins: Record<AdminContract, AdminFacts> | null
  /** Who has the operator role of each vault now. */
  operators: Record<VaultName, readonly Address[]> | null
  deployer: { address: Address; roles: readonly string[]; aic: bigint } | null
  /** Whether the source of each contract is published and matches. */
  verified: Record<ContractName, boolean> | null
}

/** The contracts that have an admin. */
export const WITH_ADMIN = [
  'presale',
  'claimModule',
  'liquidityVault',
  'devVault',
  'teamVault',
  'marketingVault',
] as const satisfies readonly ContractName[]
export type AdminContract = (typeof WITH_ADMIN)[number]

const LEAST_SIGNATURES = 2n

/** The fault that was found, null when there is none, 'unknown' when the facts are missing. */
type Verdict = { fault: string | null } | 'unknown' | 'unplanned'
type LaunchCheck = (facts: LaunchFacts, plan: LaunchPlan | null) => Verdict

/** A check of one part of the facts; `fault` returns what is wrong, or null. */
function over<Part>(
  pick: (facts: LaunchFacts) => Part | null,
  fault: (part: Part, facts: LaunchFacts) => string | null,
): LaunchCheck {
  return (facts) => {
    const part = pick(facts)
    return part === null ? 'unknown' : { fault: fault(part, facts) }
  }
}

/** A check that compares one part of the facts with the plan; unknown without a plan. */
function overPlan<Part>(
  pick: (facts: LaunchFacts) => Part | null,
  fault: (part: Part, facts: LaunchFacts, plan: LaunchPlan) => string | null,
): LaunchCheck {
  return (facts, plan) => {
    const part = pick(facts)
    if (plan === null) return 'unplanned'
    return part === null ? 'unknown' : { fault: fault(part, facts, plan) }
  }
}

const CHECKS: Record<string, LaunchCheck> = {
  'eight contracts': over(
    ({ code }) => code,
    (code) => firstFault(CONTRACT_NAMES, (name) => (code[name] === '0x' ? `${name} has no code` : null)),
  ),
  'code of this build': over(
    ({ code }) => code,
    (code) => firstFault(CONTRACT_NAMES, (name) => (isOfThisBuild(name, code[name]) ? null : `${name} has other code`)),
  ),
  wiring: over(
    ({ links }) => links,
    (links) =>
      firstFault(Object.entries(links), ([link, { found, expected }]) =>
        isAddressEqual(found, expected) ? null : `${link} is ${found}`,
      ),
  ),
  'terms of the sale': overPlan(
    ({ terms }) => terms,
    ({ softCap, minPurchase, phases }, _facts, plan) => {
      const expected = { softCap: plan.softCap, minPurchase: plan.minPurchase, phases: plan.phases }
      return isSame({ softCap, minPurchase, phases }, expected) ? null : 'phases or caps are not as configured'
    },
  ),
  routes: overPlan(
    ({ routes }) => routes,
    (routes, { addresses }, plan) => {
      const expected = VAULTS.map((name) => ({ vault: addresses[`${name}Vault`], bps: plan.routes[name] }))
      return isSame(routes, expected) ? null : 'the shares or vaults are not as configured'
    },
  ),
  vesting: overPlan(
    ({ vesting }) => vesting,
    ({ claims, vaults }, _facts, plan) => {
      const { amount: _amount, ...planned } = plan.claims
      if (!isSame(claims, planned)) return 'the schedule of the claims is not as configured'
      return firstFault(VAULTS, (name) =>
        isSame(vaults[name], plan.schedules[name]) ? null : `the schedules of the ${name} vault are not as configured`,
      )
    },
  ),
  'minted table': overPlan(
    ({ minted }) => minted,
    (minted, { addresses }, plan) => mintedFault(minted, addresses, plan),
  ),
  'claims covered': over(
    ({ claims }) => claims,
    ({ held, claimed, owed }) => (held + claimed >= owed ? null : `the claim module lacks ${owed - held - claimed}`),
  ),
  'admin is a multisig': over(
    ({ admins }) => admins,
    (admins) =>
      firstFault(WITH_ADMIN, (name) => {
        const { admin, threshold } = admins[name]
        if (threshold === null) return `the admin of ${name}, ${admin}, is not a multisig`
        if (threshold < LEAST_SIGNATURES) return `the admin of ${name} needs ${threshold} signature only`
        return isAddressEqual(admin, admins.presale.admin) ? null : `the admin of ${name}, ${admin}, is not the others’`
      }),
  ),
  'no admin transfer pending': over(
    ({ admins }) => admins,
    (admins) =>
      firstFault(WITH_ADMIN, (name) => {
        const { pending } = admins[name]
        return isAddressEqual(pending, zeroAddress) ? null : `the admin of ${name} is to become ${pending}`
      }),
  ),
  'delay of admin transfers': overPlan(
    ({ admins }) => admins,
    (admins, _facts, plan) =>
      firstFault(WITH_ADMIN, (name) => {
        const { delay, nextDelay } = admins[name]
        const other = [delay, nextDelay ?? delay].find((seconds) => seconds !== plan.adminDelay)
        return other === undefined ? null : `a new admin of ${name} has to wait ${other} s, not ${plan.adminDelay} s`
      }),
  ),
  'separate operators': overPlan(({ operators }) => operators, operatorFault),
  'deployer has nothing left': over(
    ({ deployer }) => deployer,
    ({ roles, aic }) => {
      if (roles.length > 0) return `the deployer is ${roles.join(', ')}`
      return aic === 0n ? null : `the deployer holds ${aic} atomic AIC`
    },
  ),
  'source published': over(
    ({ verified }) => verified,
    (verified) => firstFault(CONTRACT_NAMES, (name) => (verified[name] ? null : `${name} is not verified`)),
  ),
}

const checksOn = (hasExplorer: boolean) =>
  Object.entries(CHECKS).filter(([name]) => hasExplorer || name !== 'source published')

const unread = (check: string): CheckResult => ({ check, status: 'unknown', detail: 'it could not be read' })

/** The checklist when something is missing without which the chain cannot be read: that is red, the rest is unknown. */
export const missingForLaunch = (check: string, detail: string, hasExplorer: boolean): CheckResult[] => [
  { check, status: 'red', detail },
  ...checksOn(hasExplorer).map(([name]) => unread(name)),
]

/**
 * The launch checklist. Without a plan, what has to be as planned is unknown. `hasExplorer` is false on a local chain, which has
 * nowhere to publish sources.
 */
export function checkLaunch(facts: LaunchFacts, plan: LaunchPlan | null, hasExplorer: boolean): CheckResult[] {
  return checksOn(hasExplorer).map(([check, run]) => {
    const verdict = run(facts, plan)
    if (verdict === 'unknown') return unread(check)
    if (verdict === 'unplanned') return { check, status: 'unknown', detail: 'there is no plan to compare it with' }
    const { fault } = verdict
    return fault === null
      ? { check, status: 'green', detail: 'as it must be' }
      : { check, status: 'red', detail: fault }
  })
}

/** Each vault has exactly the configured operator; operators, admin and deployer are all different. */
function operatorFault(
  operators: NonNullable<LaunchFacts['operators']>,
  { admins, deployer }: LaunchFacts,
  plan: LaunchPlan,
): string | null {
  const seen = new Map<string, string>()
  if (deployer !== null) seen.set(deployer.address.toLowerCase(), 'the deployer')
  for (const name of WITH_ADMIN) {
    const admin = admins?.[name].admin
    if (admin !== undefined) seen.set(admin.toLowerCase(), `the admin of ${name}`)
  }
  return firstFault(VAULTS, (name) => {
    const [operator, second] = operators[name]
    if (operator === undefined) return `the ${name} vault has no operator`
    if (second !== undefined) return `the ${name} vault has more than one operator`
    if (!isAddressEqual(operator, plan.operators[name])) return `the operator of the ${name} vault is ${operator}`
    const other = seen.get(operator.toLowerCase())
    seen.set(operator.toLowerCase(), `the operator of the ${name} vault`)
    return other === undefined ? null : `the operator of the ${name} vault is also ${other}`
  })
}

function firstFault<Item>(items: readonly Item[], faultOf: (item: Item) => string | null): string | null {
  for (const item of items) {
    const fault = faultOf(item)
    if (fault !== null) return fault
  }
  return null
}

/** Compares values that consist of objects, lists, numbers and addresses. */
function isSame(a: unknown, b: unknown): boolean {
  const textOf = (value: unknown): string =>
    JSON.stringify(value, (_key, part: unknown) => {
      if (typeof part === 'bigint') return `${part}n`
      if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
      return Object.fromEntries(Object.entries(part).sort(([left], [right]) => left.localeCompare(right)))
    }).toLowerCase()
  return textOf(a) === textOf(b)
}
