import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { ChainEvent } from '../reads/events.ts'
import type { ClaimState, SaleState, VaultState } from '../reads/state.ts'
import { type AlertSources, alertsOf } from './alerts.ts'

const NOW = 2_000_000_000
const HOUR = 3_600
const addressOf = (last: string): Address => `0x${last.padStart(40, '0')}`
const [USDC, AIC, VAULT, OTHER] = ['aa', 'bb', 'cc', 'dd'].map(addressOf) as [Address, Address, Address, Address]

const SALE: SaleState = {
  ...{ name: 'open', raised: 100n, sold: 1_000n, softCap: 1n, endedAt: 0, coolingOff: 100, lastPurchaseBlock: 0n },
  ...{ pausedUntil: 0, pausedSeconds: 0, escrow: 100n, routed: 0n },
  phases: [{ id: 1, start: 0, end: NOW - 1, price: 1n, cap: 1n, walletCap: 1n, soldAic: 0n, soldUsdc: 0n }],
}
const CLAIMS: ClaimState = {
  ...{
    tge: 0,
    claimed: 0n,
    held: 1_000n,
    tgeBps: 0,
    cliff: 0,
    duration: 0,
    unsoldFrom: 0,
    pausedUntil: 0,
    pausedSeconds: 0,
  },
}
const DEV: VaultState = {
  ...{ name: 'dev', address: VAULT, usdc: 75n, aic: 900n, locked: 0n, free: 0n, schedules: [] },
  ...{ bps: 1, route: 0, due: 0n, routed: 0n },
}
const QUIET: AlertSources = {
  ...{
    now: NOW,
    deviceNow: NOW,
    headTime: NOW - 12,
    sale: SALE,
    claims: CLAIMS,
    vaults: [DEV],
    roles: null,
    events: [],
    checks: [],
  },
  ...{ launchBlock: 10n, nameOf: () => 'devVault', usdc: USDC, aic: AIC },
}
const place = { contract: VAULT, block: 11n, transaction: '0x', logIndex: 0, at: NOW - HOUR } as const
const spent = (token: Address, amount: bigint): ChainEvent => ({
  ...place,
  eventName: 'Spent',
  args: { token, to: '0x01', amount, memo: '0x' },
})
const payee: ChainEvent = { ...place, eventName: 'PayeeSet', args: { payee: USDC, allowed: true } }
const granted: ChainEvent = {
  ...place,
  eventName: 'RoleGranted',
  args: { role: '0x', account: USDC, sender: USDC },
}
const tgeSet: ChainEvent = { ...place, eventName: 'TgeSet', args: { time: BigInt(NOW + 80 * HOUR) } }
const kinds = (changes: Partial<AlertSources>): string[] => alertsOf({ ...QUIET, ...changes }).map(({ kind }) => kind)

test.each<[string, Partial<AlertSources>, string[]]>([
  ['a quiet day', {}, []],
  ['a node that is 6 minutes behind', { now: NOW - 360, headTime: NOW - 360 }, ['nodeBehind']],
  ['a pause', { sale: { ...SALE, pausedUntil: NOW + 5 } }, ['paused']],
  ['49 hours of pause used', { claims: { ...CLAIMS, pausedSeconds: 49 * HOUR } }, ['pauseAlmostUsed']],
  ['the cooling-off of a sale at its soft cap', { sale: { ...SALE, name: 'cooling_off' } }, []],
  ['a cooling-off that is over for less than a day', { sale: { ...SALE, name: 'ended' } }, []],
  [
    'a cooling-off that is over for more than a day',
    { now: NOW + 25 * HOUR, headTime: NOW + 25 * HOUR, sale: { ...SALE, name: 'ended' } },
    ['notFinalized'],
  ],
  ['a cooling-off below the soft cap', { sale: { ...SALE, name: 'cooling_off', softCap: 101n } }, ['softCapMissed']],
  [
    'a sale below its soft cap that is over for long: cancel or refund, never finalize',
    { now: NOW + 25 * HOUR, headTime: NOW + 25 * HOUR, sale: { ...SALE, name: 'ended', softCap: 101n } },
    ['softCapMissed'],
  ],
  [
    '109 % of the soft cap left',
    { sale: { ...SALE, name: 'cooling_off', raised: 109n, softCap: 100n } },
    ['nearSoftCap'],
  ],
  ['110 % of the soft cap left', { sale: { ...SALE, name: 'cooling_off', raised: 110n, softCap: 100n } }, []],
  ['a TGE that was brought forward', { events: [tgeSet] }, ['tgeSet']],
  [
    'a share that waits',
    { sale: { ...SALE, name: 'finalized', endedAt: 1 }, vaults: [{ ...DEV, due: 5n }] },
    ['notRouted'],
  ],
  ['claims that are not covered', { claims: { ...CLAIMS, held: 999n } }, ['claimsNotCovered']],
  ['claims of a cancelled sale', { sale: { ...SALE, name: 'cancelled' }, claims: { ...CLAIMS, held: 0n } }, []],
  ['25 % of the USDC spent in a day', { events: [spent(USDC, 25n)] }, ['muchSpent']],
  ['10 % of the AIC spent in a day', { events: [spent(AIC, 100n)] }, []],
  ['nothing spent by a vault that has nothing', { vaults: [{ ...DEV, usdc: 0n }], events: [spent(USDC, 0n)] }, []],
  ['a token whose balance is not read', { events: [spent(OTHER, 5_000n)] }, []],
  ['a new payee and a new role', { events: [payee, granted] }, ['payeeChanged', 'roleChanged']],
  ['roles of the launch itself', { events: [{ ...granted, block: 10n }] }, []],
  ['a change of last month', { events: [{ ...granted, at: NOW - 30 * 24 * HOUR }] }, []],
  ['other code', { checks: [{ check: 'code of this build', status: 'red', detail: 'x' }] }, ['check']],
  ['code that could not be read', { checks: [{ check: 'code of this build', status: 'unknown', detail: 'x' }] }, []],
  ['nothing that could be read', { sale: null, claims: null, vaults: null }, []],
])('behavior: alerts of %s', (_case, changes, expected) => {
  expect(kinds(changes)).toEqual(expected)
})

test('behavior: a new payee or operator is urgent, one that was removed is a note', () => {
  const removed: ChainEvent = { ...payee, args: { payee: USDC, allowed: false } }
  const revoked: ChainEvent = { ...granted, eventName: 'RoleRevoked' }
  const found = alertsOf({ ...QUIET, events: [removed, payee, revoked, granted] })
  expect(found.map(({ severity, kind }) => `${severity} ${kind}`)).toEqual([
    ...['bad payeeChanged', 'bad roleChanged', 'warn payeeChanged', 'warn roleChanged'],
  ])
})

test('behavior: a pending transfer of the admin comes before all notes', () => {
  const pending = { to: USDC, from: NOW + 9 }
  const admin = { contract: 'teamVault', admin: VAULT, account: { kind: 'key' }, pending, delaySeconds: 1 } as const
  const roles = { admins: [admin], operators: [] }
  expect(kinds({ roles, events: [payee] })).toEqual(['adminChanging', 'payeeChanged'])
})
