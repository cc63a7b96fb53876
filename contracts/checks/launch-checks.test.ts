import { type Address, getAddress, type Hex, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import example from '../launch/example.json' with { type: 'json' }
import known from '../launch/known.json' with { type: 'json' }
import { SPECIFIED_ALLOCATION } from './allocation.ts'
import { checkLaunch, type LaunchFacts } from './launch-checks.ts'
import { type LaunchPlan, launchPlanSchema } from './launch-plan.ts'
import type { PresaleAddresses } from './runtimes.ts'

const plan = launchPlanSchema.parse(example)
const at = (index: number): Address => getAddress(`0x${index.toString(16).padStart(40, 'c')}`)
const DEPLOYER = at(99)
const SAFE = at(98)

const addresses: PresaleAddresses = {
  ...{ claimModule: at(0), liquidityVault: at(1), devVault: at(2), teamVault: at(3) },
  ...{ marketingVault: at(4), presaleVault: at(5), aicToken: at(6), presale: at(7) },
}
const vaults = ['liquidity', 'dev', 'team', 'marketing'] as const
const MILLION = 10n ** 24n
const HOUR = 3_600
const DAY = 24 * HOUR
const safe = {
  proxy: known.safeProxies['1.4.1'] as Hex,
  singleton: known.safes['1.4.1 L2'] as Hex,
  ...{ threshold: 2n, owners: 3, modules: 0 },
}
const bySafe = { admin: SAFE, pending: zeroAddress, safe, delay: plan.adminDelay, nextDelay: null }

/** Facts of a launch in which all is well; the code is compared in the test on a chain. */
const sound: LaunchFacts = {
  addresses,
  code: null,
  links: { 'presale.vault': { found: at(5), expected: at(5) } },
  routes: vaults.map((name) => ({ vault: addresses[`${name}Vault`], bps: plan.routes[name] })),
  terms: plan,
  dollar: { chainId: 8453, address: getAddress(known.usdc['8453']), decimals: 6 },
  notices: forEach(plan.notice),
  minted: [
    { holder: at(0), amount: 150n * MILLION },
    { holder: at(1), amount: 50n * MILLION },
    { holder: at(2), amount: 150n * MILLION },
    { holder: at(3), amount: 200n * MILLION },
    { holder: at(4), amount: 350n * MILLION },
    { holder: at(4), amount: 100n * MILLION },
  ],
  vesting: { claims: vestingOf(plan.claims), vaults: plan.schedules },
  claims: { held: 120n, claimed: 30n, owed: 150n },
  admins: forEach(bySafe),
  operators: {
    liquidity: [plan.operators.liquidity],
    dev: [plan.operators.dev],
    team: [plan.operators.team],
    marketing: [plan.operators.marketing],
  },
  deployer: { address: DEPLOYER, roles: [], aic: 0n },
  verified: forEach(true),
}
const admins = sound.admins ?? expect.fail('the sound facts have admins')
const operators = sound.operators ?? expect.fail('the sound facts have operators')

const dollar = sound.dollar ?? expect.fail('the sound facts have a dollar')

/** The admin of one vault is this Safe instead. */
function withSafe(change: Partial<typeof safe>): Partial<LaunchFacts> {
  return { admins: { ...forEach(bySafe), marketingVault: { ...bySafe, safe: { ...safe, ...change } } } }
}

/** The checks that are not green, each with its status. */
const troubles = (change: Partial<LaunchFacts>) =>
  checkLaunch({ ...sound, ...change }, plan, true)
    .filter(({ status }) => status !== 'green')
    .map(({ check, status }) => `${check}: ${status}`)
const CODE_UNREAD = ['eight contracts: unknown', 'code of this build: unknown']

test('default: a sound launch is green, and what was not read is unknown', () => {
  expect(troubles({})).toEqual(CODE_UNREAD)
})

test.each<[string, Partial<LaunchFacts>, string]>([
  ['a contract of another sale', { links: { 'presale.vault': { found: at(9), expected: at(5) } } }, 'wiring'],
  ['another share', { routes: sound.routes?.map((route) => ({ ...route, bps: 2_500 })) ?? null }, 'routes'],
  ['another vault in a route', { routes: sound.routes?.toReversed() ?? null }, 'routes'],
  ['another soft cap', { terms: { ...plan, softCap: plan.softCap + 1n } }, 'terms of the sale'],
  ['another cooling-off', { terms: { ...plan, coolingOff: 15 * DAY } }, 'terms of the sale'],
  ['another dollar', { dollar: { chainId: 8453, address: at(9), decimals: 6 } }, 'known dollar'],
  ['the dollar of another chain', { dollar: { ...dollar, chainId: 1 } }, 'known dollar'],
  ['a chain without a known dollar', { dollar: { ...dollar, chainId: 56 } }, 'known dollar'],
  ['a dollar of 18 decimals', { dollar: { ...dollar, decimals: 18 } }, 'known dollar'],
  ['a dollar without decimals', { dollar: { ...dollar, decimals: null } }, 'known dollar'],
  ['another notice of one vault', { notices: { ...forEach(plan.notice), teamVault: 96 * HOUR } }, 'notice as planned'],
  [
    'another price',
    { terms: { ...plan, phases: plan.phases.map((phase) => ({ ...phase, price: 1n })) } },
    'terms of the sale',
  ],
  [
    'claims without a cliff',
    { vesting: { claims: { ...vestingOf(plan.claims), cliff: 0 }, vaults: plan.schedules } },
    'vesting',
  ],
  [
    'a vault without its schedule',
    { vesting: { claims: vestingOf(plan.claims), vaults: { ...plan.schedules, team: [] } } },
    'vesting',
  ],
  ['AIC for another holder', { minted: [...(sound.minted ?? []), { holder: at(9), amount: 1n }] }, 'minted table'],
  ['an allocation that is missing', { minted: sound.minted?.slice(1) ?? null }, 'minted table'],
  ['claims that are not covered', { claims: { held: 119n, claimed: 30n, owed: 150n } }, 'claims covered'],
  ['a plain key as admin', { admins: { ...admins, teamVault: { ...bySafe, safe: null } } }, 'admin is a multisig'],
  ['one signature', withSafe({ threshold: 1n }), 'admin is a multisig'],
  ['fewer owners than signatures', withSafe({ owners: 1 }), 'admin is a multisig'],
  ['a module of the admin', withSafe({ modules: 1 }), 'admin is a multisig'],
  ['a proxy of unknown code as admin', withSafe({ proxy: `0x${'1'.repeat(64)}` }), 'admin is a multisig'],
  ['a proxy over unknown code as admin', withSafe({ singleton: safe.proxy }), 'admin is a multisig'],
  [
    'another multisig as admin',
    { admins: { ...admins, devVault: { ...bySafe, admin: at(9) } } },
    'admin is a multisig',
  ],
  [
    'another delay of one admin',
    { admins: { ...admins, presale: { ...bySafe, delay: 96 * HOUR } } },
    'delay of admin transfers',
  ],
  [
    'a pending transfer',
    { admins: { ...admins, claimModule: { ...bySafe, pending: at(9) } } },
    'no admin transfer pending',
  ],
  ['no operator', { operators: { ...operators, dev: [] } }, 'separate operators'],
  ['two operators', { operators: { ...operators, dev: [...operators.dev, at(9)] } }, 'separate operators'],
  ['another operator', { operators: { ...operators, team: [at(9)] } }, 'separate operators'],
  [
    'a deployer with a role',
    { deployer: { address: DEPLOYER, roles: ['admin of presale'], aic: 0n } },
    'deployer has nothing left',
  ],
  ['a deployer with AIC', { deployer: { address: DEPLOYER, roles: [], aic: 1n } }, 'deployer has nothing left'],
  ['no published source', { verified: { ...forEach(true), presale: false } }, 'source published'],
])('error: red for %s', (_fault, change, check) => {
  expect(troubles(change)).toEqual(expect.arrayContaining([...CODE_UNREAD, `${check}: red`]))
  expect(troubles(change)).toHaveLength(3)
})

const short = 72 * HOUR - 1
test.each<[string, Partial<LaunchFacts>, string, string]>([
  [
    'an admin that changes too soon',
    { admins: { ...admins, presale: { ...bySafe, delay: short } } },
    'least delay of admin transfers',
    'delay of admin transfers',
  ],
  [
    'an admin that can soon change at once',
    { admins: { ...admins, devVault: { ...bySafe, nextDelay: 0 } } },
    'least delay of admin transfers',
    'delay of admin transfers',
  ],
  [
    'a notice under 72 hours of one vault',
    { notices: { ...forEach(plan.notice), devVault: short } },
    'least notice',
    'notice as planned',
  ],
  [
    'a cooling-off under 14 days',
    { terms: { ...plan, coolingOff: 14 * DAY - 1 } },
    'least cooling-off',
    'terms of the sale',
  ],
  [
    'a soft cap under a tenth of the hard cap',
    { terms: { ...plan, softCap: 449_999_999_999n } },
    'least soft cap',
    'terms of the sale',
  ],
])('error: red for %s, and for another value than planned', (_fault, change, least, planned) => {
  const reds = troubles(change).filter((line) => !CODE_UNREAD.includes(line))
  expect(reds.toSorted()).toEqual([`${least}: red`, `${planned}: red`].toSorted())
})

test('behavior: the least values hold whatever the plan says', () => {
  const tiny = { ...plan, coolingOff: 60, notice: 60, adminDelay: 60, softCap: 1n }
  const facts = { ...sound, terms: tiny, notices: forEach(60), admins: forEach({ ...bySafe, delay: 60 }) }
  const reds = checkLaunch(facts, tiny, true).flatMap(({ check, status }) => (status === 'red' ? [check] : []))
  expect(reds).toEqual(['least soft cap', 'least cooling-off', 'least notice', 'least delay of admin transfers'])
})

test('error: red for an operator that is another’s, the admin or the deployer', () => {
  for (const account of [plan.operators.liquidity, SAFE, DEPLOYER]) {
    const same = { ...plan, operators: { ...plan.operators, marketing: account } }
    const facts = { ...sound, operators: { ...operators, marketing: [account] } }
    const found = checkLaunch(facts, same, true).find(({ check }) => check === 'separate operators')
    expect(found).toMatchObject({ status: 'red', detail: expect.stringContaining('is also') })
  }
})

test.each<[string, bigint, bigint]>([
  ['the claim module of a launch gets 1 AIC from the team', 1n, -1n],
  ['the team gets 1 AIC of the claim module', -1n, 1n],
])('error: red when plan and mint agree and the specification differs: %s', (_case, claims, team) => {
  const [schedule] = plan.schedules.team
  if (schedule === undefined) expect.fail('the team has a schedule')
  const change = (amount: bigint, aic: bigint): bigint => amount + aic * 10n ** 18n
  const moved: LaunchPlan = {
    ...plan,
    claims: { ...plan.claims, amount: change(plan.claims.amount, claims) },
    schedules: { ...plan.schedules, team: [{ ...schedule, amount: change(schedule.amount, team) }] },
  }
  const minted = (sound.minted ?? []).map(({ holder, amount }) => {
    if (holder === addresses.claimModule) return { holder, amount: change(amount, claims) }
    return holder === addresses.teamVault ? { holder, amount: change(amount, team) } : { holder, amount }
  })
  const found = checkLaunch({ ...sound, minted }, moved, true).find(({ check }) => check === 'minted table')
  expect(found).toMatchObject({ status: 'red', detail: expect.stringContaining('the specification allocates') })
})

test('default: the allocation of the specification is the whole supply', () => {
  expect(SPECIFIED_ALLOCATION.reduce((sum, { aic }) => sum + aic, 0n)).toBe(1_000_000_000n)
})

test('error: red for an address without code and for other code', () => {
  expect(troubles({ code: forEach<Hex>('0x') })).toEqual(['eight contracts: red', 'code of this build: red'])
  expect(troubles({ code: forEach<Hex>('0x00') })).toEqual(['code of this build: red'])
})

test('behavior: nothing is green by default: without facts every check is unknown', () => {
  const nothing = Object.fromEntries(Object.keys(sound).map((key) => [key, null]))
  const found = checkLaunch({ ...sound, ...nothing, addresses }, plan, true)
  expect(found.map(({ status }) => status)).toEqual(found.map(() => 'unknown'))
  expect(found).toHaveLength(20)
})

/** A schedule without its amount. */
function vestingOf({ tgeBps, cliff, duration }: LaunchPlan['claims']) {
  return { tgeBps, cliff, duration }
}

/** The same value for each of the eight contracts. */
function forEach<Value>(value: Value) {
  return {
    ...{ claimModule: value, liquidityVault: value, devVault: value, teamVault: value },
    ...{ marketingVault: value, presaleVault: value, aicToken: value, presale: value },
  }
}
