import { type Address, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { type Minted, mintedFault } from './allocation.ts'
import { isSame } from './is-same.ts'
import { type DollarFacts, dollarFault, LEAST, type SafeFacts, safeFault } from './known.ts'
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
  /** Null when the account has no code, or does not answer as a Safe. */
  safe: SafeFacts | null
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
  terms: Pick<LaunchPlan, 'softCap' | 'minPurchase' | 'coolingOff' | 'phases'> | null
  /** The token that the sale is paid in. */
  dollar: DollarFacts | null
  /** How long a new payee, a new operator or an earlier TGE waits, seconds. */
  notices: Record<NoticeContract, number> | null
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

/** The contracts that have a notice. */
export const WITH_NOTICE = [
  'claimModule',
  'liquidityVault',
  'devVault',
  'teamVault',
  'marketingVault',
] as const satisfies readonly ContractName[]
type NoticeContract = (typeof WITH_NOTICE)[number]

/** The contracts that have an admin. */
export const WITH_ADMIN = ['presale', ...WITH_NOTICE] as const
export type AdminContract = (typeof WITH_ADMIN)[number]

const ATOMIC_AIC = 10n ** 18n
const ALL_BPS = 10_000n

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
  'known dollar': over(({ dollar }) => dollar, dollarFault),
  'terms of the sale': overPlan(
    ({ terms }) => terms,
    (terms, _facts, plan) => {
      const [found, expected] = [terms, plan].map(({ softCap, minPurchase, coolingOff, phases }) => {
        return { softCap, minPurchase, coolingOff, phases }
      })
      return isSame(found, expected) ? null : 'phases, caps or cooling-off are not as configured'
    },
  ),
  'least soft cap': over(
    ({ terms }) => terms,
    ({ softCap, phases }) => {
      const hardCap = phases.reduce((sum, { cap, price }) => sum + (cap * price) / ATOMIC_AIC, 0n)
      const isEnough = softCap * ALL_BPS >= hardCap * BigInt(LEAST.softCapBps)
      return isEnough ? null : `the soft cap is under ${LEAST.softCapBps / 100} % of the hard cap`
    },
  ),
  'least cooling-off': over(
    ({ terms }) => terms,
    ({ coolingOff }) => tooShort('the cooling-off', coolingOff, LEAST.coolingOff),
  ),
  'least notice': over(
    ({ notices }) => notices,
    (notices) => firstFault(WITH_NOTICE, (name) => tooShort(`the notice of ${name}`, notices[name], LEAST.notice)),
  ),
  'notice as planned': overPlan(
    ({ notices }) => notices,
    (notices, _facts, plan) =>
      firstFault(WITH_NOTICE, (name) =>
        notices[name] === plan.notice ? null : `the notice of ${name} is ${notices[name]} s, not ${plan.notice} s`,
      ),
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
        const { admin, safe } = admins[name]
        if (safe === null) return `the admin of ${name}, ${admin}, is not a Safe`
        const fault = safeFault(safe)
        if (fault !== null) return `the admin of ${name}, ${admin}, ${fault}`
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
  'least delay of admin transfers': over(
    ({ admins }) => admins,
    (admins) =>
      firstFault(WITH_ADMIN, (name) => {
        const { delay, nextDelay } = admins[name]
        const shortest = Math.min(delay, nextDelay ?? delay)
        return tooShort(`the delay of a new admin of ${name}`, shortest, LEAST.adminDelay)
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

const tooShort = (what: string, seconds: number, least: number): string | null =>
  seconds >= least ? null : `${what} is ${seconds} s, less than ${least} s`

function firstFault<Item>(items: readonly Item[], faultOf: (item: Item) => string | null): string | null {
  for (const item of items) {
    const fault = faultOf(item)
    if (fault !== null) return fault
  }
  return null
}
