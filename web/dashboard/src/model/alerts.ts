import { type Address, getAddress, type Hex, isAddressEqual } from 'viem'
import type { CheckResult } from '../../../../contracts/checks/launch-checks.ts'
import { type ChainEvent, named } from '../reads/events.ts'
import type { RolesState } from '../reads/roles.ts'
import type { ClaimState, SaleState, VaultState } from '../reads/state.ts'
import { coolingOffUntil } from './dates.ts'

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS
const WEEK_SECONDS = 7 * DAY_SECONDS
const PAUSE_WARNING_SECONDS = 48 * HOUR_SECONDS
const BEHIND_SECONDS = 5 * 60
/** A vault that spends more than this share in a day is worth a look. */
const SPENT_BPS = 2_000n
const ALL_BPS = 10_000n
/** Below this share of the soft cap a few who leave make the sale fail. */
const NEAR_SOFT_CAP_BPS = 11_000n

/** Something that a treasurer should look at. `bad` means that money or control is at stake. */
export type Alert = { severity: 'warn' | 'bad' } & (
  | { kind: 'nodeBehind'; seconds: number }
  | { kind: 'paused'; contract: string; until: number }
  | { kind: 'pauseAlmostUsed'; contract: string; seconds: number }
  | { kind: 'notFinalized'; since: number }
  | { kind: 'softCapMissed'; missing: bigint }
  | { kind: 'nearSoftCap'; raised: bigint }
  | { kind: 'tgeSet'; time: number; at: number; transaction: Hex }
  | { kind: 'notRouted'; vault: string; due: bigint }
  | { kind: 'claimsNotCovered'; missing: bigint }
  | { kind: 'muchSpent'; vault: string; percent: number }
  | { kind: 'adminChanging'; contract: string; to: string; from: number }
  | { kind: 'roleChanged'; contract: string; account: string; granted: boolean; at: number; transaction: Hex }
  | { kind: 'payeeChanged'; contract: string; account: string; granted: boolean; at: number; transaction: Hex }
  | { kind: 'check'; check: string; detail: string }
)

export interface AlertSources {
  /** The chain's time, Unix seconds. */
  now: number
  /** The device's time, Unix seconds: a node that is behind has an old time itself. */
  deviceNow: number
  headTime: number
  sale: SaleState | null
  claims: ClaimState | null
  vaults: readonly VaultState[] | null
  roles: RolesState | null
  events: readonly ChainEvent[]
  checks: readonly CheckResult[]
  /** Blocks up to this one belong to the launch, and their roles do not count as changes. */
  launchBlock: bigint
  nameOf(address: string): string
  usdc: Address
  aic: Address
}

/** Everything that is unusual now, the worst first. */
export function alertsOf(sources: AlertSources): Alert[] {
  const all = [...nodeAlerts(sources), ...saleAlerts(sources), ...vaultAlerts(sources), ...roleAlerts(sources)]
  return all.sort((a, b) => a.severity.localeCompare(b.severity))
}

function nodeAlerts({ deviceNow, headTime, checks }: AlertSources): Alert[] {
  const behind = deviceNow - headTime
  const code = checks.filter(({ check, status }) => check === 'code of this build' && status === 'red')
  return [
    ...(behind > BEHIND_SECONDS ? [{ kind: 'nodeBehind', severity: 'bad', seconds: behind } as const] : []),
    ...code.map(({ check, detail }) => ({ kind: 'check', severity: 'bad', check, detail }) as const),
  ]
}

function saleAlerts({ now, sale, claims }: AlertSources): Alert[] {
  const alerts: Alert[] = []
  for (const [contract, pause] of [['presale', sale] as const, ['claimModule', claims] as const]) {
    if (pause === null) continue
    const { pausedUntil: until, pausedSeconds: seconds } = pause
    if (until > now) alerts.push({ kind: 'paused', severity: 'bad', contract, until })
    if (seconds > PAUSE_WARNING_SECONDS) alerts.push({ kind: 'pauseAlmostUsed', severity: 'warn', contract, seconds })
  }
  if (sale === null) return alerts
  alerts.push(...afterTheEnd(sale, now))
  const owed = sale.name === 'cancelled' ? 0n : sale.sold
  if (claims !== null && claims.held + claims.claimed < owed) {
    alerts.push({ kind: 'claimsNotCovered', severity: 'bad', missing: owed - claims.held - claims.claimed })
  }
  return alerts
}

/** Until the sale is final everyone can leave. Below its soft cap it can only be cancelled. */
function afterTheEnd(sale: SaleState, now: number): Alert[] {
  if (sale.name !== 'cooling_off' && sale.name !== 'ended') return []
  const { raised, softCap } = sale
  if (raised < softCap) return [{ kind: 'softCapMissed', severity: 'bad', missing: softCap - raised }]
  const since = coolingOffUntil(sale)
  const isLate = sale.name === 'ended' && now > since + DAY_SECONDS
  const isNear = raised * ALL_BPS < softCap * NEAR_SOFT_CAP_BPS
  return [
    ...(isNear ? [{ kind: 'nearSoftCap', severity: 'warn', raised } as const] : []),
    ...(isLate ? [{ kind: 'notFinalized', severity: 'warn', since } as const] : []),
  ]
}

function vaultAlerts({ now, sale, vaults, events, usdc, aic }: AlertSources): Alert[] {
  if (vaults === null) return []
  const isLate = sale !== null && sale.name === 'finalized' && now > sale.endedAt + DAY_SECONDS
  const notRouted = vaults.filter(({ due }) => isLate && due > 0n)
  const recent = named(events, 'Spent').filter(({ at }) => at > now - DAY_SECONDS)
  const muchSpent = vaults.flatMap((vault) => {
    const spent = recent.filter(({ contract }) => isAddressEqual(contract, vault.address))
    // A vault's other tokens are not read, so its share is not known.
    const holdings = [[usdc, vault.usdc] as const, [aic, vault.aic] as const]
    return holdings.flatMap(([token, left]): Alert[] => {
      const ofToken = spent.filter(({ args }) => isAddressEqual(args.token, token))
      const sum = ofToken.reduce((total, { args }) => total + args.amount, 0n)
      const bps = sum === 0n ? 0n : (sum * ALL_BPS) / (sum + left)
      return bps > SPENT_BPS
        ? [{ kind: 'muchSpent', severity: 'warn', vault: vault.name, percent: Number(bps / 100n) }]
        : []
    })
  })
  return [
    ...notRouted.map(({ name, due }): Alert => ({ kind: 'notRouted', severity: 'warn', vault: name, due })),
    ...muchSpent,
  ]
}

/** Who is new can move money after the notice; who is removed cannot any more. */
const severityOf = (granted: boolean): Alert['severity'] => (granted ? 'bad' : 'warn')

function roleAlerts({ now, roles, events, launchBlock, nameOf }: AlertSources): Alert[] {
  const pending = (roles?.admins ?? []).flatMap(({ contract, pending: transfer }): Alert[] =>
    transfer === null
      ? []
      : [{ kind: 'adminChanging', severity: 'bad', contract, to: transfer.to, from: transfer.from }],
  )
  const changes = events.flatMap((event): Alert[] => {
    if (event.at < now - WEEK_SECONDS || event.block <= launchBlock) return []
    const { at, transaction } = event
    const place = { contract: nameOf(event.contract), at, transaction } as const
    if (event.eventName === 'TgeSet') {
      return [{ kind: 'tgeSet', severity: 'bad', time: Number(event.args.time), at, transaction }]
    }
    if (event.eventName === 'PayeeSet') {
      const { payee, allowed: granted } = event.args
      return [{ ...place, severity: severityOf(granted), kind: 'payeeChanged', account: getAddress(payee), granted }]
    }
    if (event.eventName !== 'RoleGranted' && event.eventName !== 'RoleRevoked') return []
    const granted = event.eventName === 'RoleGranted'
    const account = getAddress(event.args.account)
    return [{ ...place, severity: severityOf(granted), kind: 'roleChanged', account, granted }]
  })
  return [...pending, ...changes]
}
