import { type Address, getAddress } from 'viem'
import { type LaunchPlan, launchPlanSchema } from '../../contracts/checks/launch-plan.ts'
import type { VaultName } from '../../contracts/checks/runtimes.ts'
import local from '../../contracts/launch/local.json' with { type: 'json' }
import { presaleAdminKey, vaultOperatorKeys } from './accounts.ts'

/** A month of the launch's vesting takes a minute here, so that it can be watched. */
const MONTHS_PER_MINUTE = 30 * 24 * 60
const SALE_SECONDS = 30 * 24 * 3_600
/** A minute instead of days of each: to move the chain's clock would make the service's payments expire. */
const WAIT_SECONDS = 60

/** One phase, open at once, which two wallets can buy up: the sale of the local launch in a size that can be finished by hand. */
const PHASE = { price: 20_000n, cap: 3_000_000n * 10n ** 18n, walletCap: 50_000_000_000n }
const SOFT_CAP = 50_000_000_000n

/** The launch of the local stack: that of `contracts/launch/local.json` with a small sale, quick vesting and the stack's own accounts. */
export function devLaunchPlan(usdc: Address, startsAt: number): LaunchPlan {
  const plan = launchPlanSchema.parse(local)
  const quick = <Vesting extends { cliff: number; duration: number }>(vesting: Vesting): Vesting => ({
    ...vesting,
    cliff: Math.round(vesting.cliff / MONTHS_PER_MINUTE),
    duration: Math.round(vesting.duration / MONTHS_PER_MINUTE),
  })
  const operators = vaultOperatorKeys().map(({ account }) => account.address)
  const perVault = <Value>(of: (name: VaultName, index: number) => Value) => ({
    ...{ liquidity: of('liquidity', 0), dev: of('dev', 1) },
    ...{ team: of('team', 2), marketing: of('marketing', 3) },
  })
  return {
    ...plan,
    usdc: getAddress(usdc),
    admin: presaleAdminKey().account.address,
    ...{ adminDelay: WAIT_SECONDS, coolingOff: WAIT_SECONDS, notice: WAIT_SECONDS },
    operators: perVault((_name, index) => operators[index] ?? plan.admin),
    phases: [{ ...PHASE, start: startsAt, end: startsAt + SALE_SECONDS }],
    softCap: SOFT_CAP,
    claims: quick(plan.claims),
    schedules: perVault((name) => plan.schedules[name].map(quick)),
  }
}

/** The JSON of a plan as in `contracts/launch/`: amounts are decimal strings. */
export const launchPlanJson = (plan: LaunchPlan): string =>
  JSON.stringify(plan, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
