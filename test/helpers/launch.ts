import {
  type Address,
  createTestClient,
  encodeFunctionData,
  type Hex,
  type HttpTransport,
  http,
  keccak256,
  type PublicActions,
  publicActions,
  stringToHex,
  type TestClient,
  type WalletActions,
  walletActions,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { presaleAbi } from '../../contracts/abi/presale.ts'
import { type LaunchPlan, launchPlanSchema } from '../../contracts/checks/launch-plan.ts'
import type { VaultName } from '../../contracts/checks/runtimes.ts'
import local from '../../contracts/launch/local.json' with { type: 'json' }

export const MILLION_AIC = 10n ** 24n
/** The local launch, a month from now. */
const moved = Math.floor(Date.now() / 1_000) + 30 * 86_400 - (local.phases[0]?.start ?? 0)
const phases = local.phases.map((phase) => ({ ...phase, start: phase.start + moved, end: phase.end + moved }))
export const planJson = { ...local, phases }
export const plan = launchPlanSchema.parse(planJson)
export const deployer = privateKeyToAccount(`0x${'43'.repeat(32)}`)
export const owners = ['44', '45', '46'].map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`))
export const two = owners.slice(1)
export const stranger: Address = '0x5700000000000000000000000000000000000057'

type Chain = typeof foundry
type OnAnvil = TestClient<'anvil', HttpTransport, Chain, PrivateKeyAccount> &
  PublicActions<HttpTransport, Chain, PrivateKeyAccount> &
  WalletActions<Chain, PrivateKeyAccount>

export const newClient = (url: string): OnAnvil =>
  createTestClient({ mode: 'anvil', chain: foundry, account: deployer, transport: http(url), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)

export const roleOf = (name: VaultName): Hex => keccak256(stringToHex(`${name.toUpperCase()}_OPERATOR_ROLE`))
export const beginTransfer = (to: Address) =>
  encodeFunctionData({ abi: presaleAbi, functionName: 'beginDefaultAdminTransfer', args: [to] })
export const acceptTransfer = encodeFunctionData({ abi: presaleAbi, functionName: 'acceptDefaultAdminTransfer' })

/** A launch that is not as planned: what the plan says instead. */
export const DEPARTURES: [fault: string, change: Partial<LaunchPlan>, reds: string[]][] = [
  ['another soft cap', { softCap: plan.softCap + 1n }, ['terms of the sale']],
  ['another cooling-off', { coolingOff: plan.coolingOff + 1 }, ['terms of the sale']],
  ['another notice', { notice: plan.notice + 1 }, ['notice as planned']],
  ['another price', { phases: plan.phases.map((phase) => ({ ...phase, price: 1n })) }, ['terms of the sale']],
  ['other shares of the USDC', { routes: { ...plan.routes, dev: 2_000, team: 2_000 } }, ['routes']],
  ['another cliff for buyers', { claims: { ...plan.claims, cliff: 0 } }, ['vesting']],
  [
    'another amount for the team',
    { schedules: { ...plan.schedules, team: plan.schedules.team.map((one) => ({ ...one, amount: one.amount + 1n })) } },
    ['vesting', 'minted table'],
  ],
  ['another delay of admin transfers', { adminDelay: 0 }, ['delay of admin transfers']],
  ['another operator of a vault', { operators: { ...plan.operators, team: stranger } }, ['separate operators']],
]
