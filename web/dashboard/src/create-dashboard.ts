import { type Accessor, createContext, createMemo, createSignal, useContext } from 'solid-js'
import { isSame } from '../../../contracts/checks/is-same.ts'
import { type CheckResult, checkLaunch } from '../../../contracts/checks/launch-checks.ts'
import { readLaunchFacts } from '../../../contracts/checks/read-facts.ts'
import { isVerifiedBySourcify } from '../../../contracts/checks/sourcify.ts'
import { createChainClock } from '../../shared/chain-reads/chain-clock.ts'
import { createReadClient } from '../../shared/chain-reads/client.ts'
import { NodeBehindError } from '../../shared/chain-reads/log-follower.ts'
import { repeat } from '../../shared/chain-reads/repeat.ts'
import type { DashboardConfig } from './config.ts'
import { type Alert, alertsOf } from './model/alerts.ts'
import { contractNameOf } from './model/contracts.ts'
import type { ChainEvent } from './reads/events.ts'
import { makeLiveReader, type View } from './reads/live.ts'
import { grantedByVault, type RolesState, readRoles } from './reads/roles.ts'
import type { ClaimState, SaleState, VaultState } from './reads/state.ts'
import type { TokenState } from './reads/token.ts'

const PAUSES = { visibleMs: 5_000, hiddenMs: 60_000 }
const ROLES_EVERY_MS = 60_000
const CHECKS_EVERY_MS = 10 * 60_000
const DAY_SECONDS = 86_400
const ALERTS_EVERY_SECONDS = 30
const LOCAL_CHAIN = 31_337

/** Why the figures are not those of now. */
export type Trouble = { kind: 'behind' | 'unreachable'; message: string }

export interface Dashboard {
  config: DashboardConfig
  /** Null before the first read. The last one stays while there is trouble. */
  view: Accessor<View | null>
  trouble: Accessor<Trouble | null>
  /** When `view` was read, milliseconds. */
  readAt: Accessor<number>
  /** Parts of the view, which change only when their content does. Null when they could not be read. */
  sale: Accessor<SaleState | null>
  vaults: Accessor<VaultState[] | null>
  claims: Accessor<ClaimState | null>
  token: Accessor<TokenState | null>
  roles: Accessor<RolesState | null>
  events: Accessor<readonly ChainEvent[]>
  /** The day of the newest block, Unix seconds of its start. */
  today: Accessor<number>
  checks: Accessor<CheckResult[] | null>
  isChecking: Accessor<boolean>
  checkedAt: Accessor<number>
  checkAgain(): void
  alerts: Accessor<Alert[]>
  /** The chain's time, Unix seconds; changes each second. */
  now: Accessor<number>
  /** This device's time, Unix seconds; changes each second. */
  deviceNow: Accessor<number>
}

export const DashboardContext = createContext<Dashboard>()

/** The figures that the pages show. Throws outside of the context's provider. */
export function useDashboard(): Dashboard {
  const dashboard = useContext(DashboardContext)
  if (dashboard === undefined) throw new Error('useDashboard is used outside of DashboardContext')
  return dashboard
}

/** Reads the chain every five seconds while the page is visible, and the launch checklist every ten minutes. */
export function createDashboard(config: DashboardConfig): Dashboard {
  const client = createReadClient(config.chainId, config.rpcUrl)
  const read = makeLiveReader(client, config)
  const [view, setView] = createSignal<View | null>(null)
  const [trouble, setTrouble] = createSignal<Trouble | null>(null)
  const [readAt, setReadAt] = createSignal(0)
  const [roles, setRoles] = createSignal<RolesState | null>(null, { equals: isSame })
  const { now, deviceNow, follow } = createChainClock()
  let rolesAt = 0

  async function update(): Promise<void> {
    try {
      const next = await read()
      const isChanged = next.events !== view()?.events
      follow(next.head.timestamp)
      setView(next)
      setReadAt(Date.now())
      setTrouble(null)
      if (!isChanged && Date.now() - rolesAt < ROLES_EVERY_MS) return
      setRoles(await readRoles(client, config, next.events))
      rolesAt = Date.now()
    } catch (error) {
      setTrouble(troubleOf(error))
    }
  }

  const checklist = createChecklist(client, config, view)
  const readAll = async (): Promise<void> => {
    await update()
    await checklist.whenDue().catch((error: unknown) => console.warn('dashboard:', error))
  }
  repeat(readAll, PAUSES)

  const halfMinute = (time: number): number => time - (time % ALERTS_EVERY_SECONDS)
  const alertTime = createMemo(() => halfMinute(now()))
  const alertDeviceTime = createMemo(() => halfMinute(deviceNow()))
  const parts = createParts(view)
  const alerts = createMemo(() => alertsNow(), [], { equals: isSame })
  function alertsNow(): Alert[] {
    const current = view()
    if (current === null) return []
    const { events, launchBlock, head, state } = current
    return alertsOf({
      ...{
        now: alertTime(),
        deviceNow: alertDeviceTime(),
        headTime: head.timestamp,
        roles: roles(),
        events,
        launchBlock,
      },
      ...{ sale: state.sale, claims: state.claims, vaults: state.vaults, checks: checklist.checks() ?? [] },
      nameOf: (address) => contractNameOf(config, address) ?? address,
      ...{ usdc: config.usdc, aic: config.addresses.aicToken },
    })
  }
  const { whenDue: _, ...shown } = checklist
  return { config, view, trouble, readAt, roles, alerts, now, deviceNow, ...parts, ...shown }
}

function createParts(view: Accessor<View | null>) {
  const part = <Value>(of: (shown: View) => Value | null): Accessor<Value | null> => {
    const value = (): Value | null => {
      const shown = view()
      return shown === null ? null : of(shown)
    }
    return createMemo(value, null, { equals: isSame })
  }
  const none: readonly ChainEvent[] = []
  return {
    sale: part(({ state }) => state.sale),
    vaults: part(({ state }) => state.vaults),
    claims: part(({ state }) => state.claims),
    token: part(({ state }) => state.token),
    events: createMemo(() => view()?.events ?? none),
    today: createMemo(() => Math.floor((view()?.head.timestamp ?? 0) / DAY_SECONDS) * DAY_SECONDS),
  }
}

function createChecklist(
  client: ReturnType<typeof createReadClient>,
  config: DashboardConfig,
  view: Accessor<View | null>,
) {
  const [checks, setChecks] = createSignal<CheckResult[] | null>(null)
  const [isChecking, setChecking] = createSignal(false)
  const [checkedAt, setCheckedAt] = createSignal(0)
  const { addresses, usdc, plan, chainId } = config
  const hasExplorer = chainId !== LOCAL_CHAIN

  async function check(): Promise<void> {
    const current = view()
    if (current === null || isChecking()) return
    setChecking(true)
    try {
      const facts = await readLaunchFacts(client, {
        ...{ addresses, usdc },
        // With a part of the logs only, someone with the role could be missed: the facts' own search decides then.
        ...(current.eventsFrom === null && { granted: grantedByVault(current.events, config) }),
        ...(hasExplorer && { isVerified: (address) => isVerifiedBySourcify(chainId, address) }),
      })
      setChecks(checkLaunch(facts, plan, hasExplorer))
      setCheckedAt(Date.now())
    } finally {
      setChecking(false)
    }
  }
  return {
    ...{ checks, isChecking, checkedAt },
    checkAgain: () => void check(),
    whenDue: async () => (Date.now() - checkedAt() > CHECKS_EVERY_MS ? check() : undefined),
  }
}

function troubleOf(error: unknown): Trouble {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  return { kind: error instanceof NodeBehindError ? 'behind' : 'unreachable', message }
}
