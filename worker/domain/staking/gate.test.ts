import { describe, expect, it } from 'vitest'
import { makeTestConfig } from '../../../test/helpers/config.ts'
import { makeTestDeps } from '../../../test/helpers/deps.ts'
import { AppError } from '../../errors.ts'
import { paidLimit } from '../rate-limits/paid-limit.ts'
import { tierAccess } from './gate.ts'
import { readStake } from './stake-reader.ts'
import { reachesTier, tierOf } from './tier.ts'

const TOKEN = '0x00000000000000000000000000000000000000A1'
const STAKING = '0x00000000000000000000000000000000000000A2'
const session = { address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A', chainId: 84532 } as const
const AIC = 10n ** 18n
const config = makeTestConfig({ aic: { tokenAddress: TOKEN, stakingAddress: STAKING }, enforceTiers: true })

function setUp(holdings: { held?: bigint; staked?: bigint }, overrides = config) {
  const kit = makeTestDeps({ config: overrides })
  kit.chain.state.balances.set(`${TOKEN}:${session.address}`.toLowerCase(), holdings.held ?? 0n)
  kit.chain.state.stakes.set(session.address.toLowerCase(), holdings.staked ?? 0n)
  return kit
}

async function refusal(promise: Promise<unknown>): Promise<AppError | null> {
  const outcome = await promise.then(
    () => null,
    (error: unknown) => error,
  )
  if (outcome === null || outcome instanceof AppError) return outcome
  throw outcome
}

describe('tiers', () => {
  it.each([
    [499_999_999_999_999_999_999n, 0n, 'free'],
    [500n * AIC, 0n, 'standard'],
    [500n * AIC, 5000n * AIC - 1n, 'standard'],
    [0n, 5000n * AIC, 'premium'],
  ] as const)('default: %d held and %d staked is %s', (heldAtomic, stakedAtomic, tier) => {
    expect(tierOf({ heldAtomic, stakedAtomic })).toBe(tier)
  })

  it('behavior: a tier asks for what it says and nothing else', () => {
    expect(reachesTier('standard', { heldAtomic: 0n, stakedAtomic: 10_000n * AIC })).toBe(false)
    expect(reachesTier('premium', { heldAtomic: 0n, stakedAtomic: 5000n * AIC })).toBe(true)
  })
})

describe('tierAccess', () => {
  it('default: a free model asks nothing of the chain', async () => {
    const { deps, chain } = setUp({})
    await tierAccess(deps, session, { tier: 'free' })
    expect(chain.state.calls).toEqual([])
  })

  it('behavior: nothing is gated while enforcement is off', async () => {
    const { deps, chain } = setUp({}, makeTestConfig({ aic: config.aic }))
    await tierAccess(deps, session, { tier: 'premium' })
    expect(chain.state.calls).toEqual([])
  })

  it('error: tier_required with what is required and what is there, one unit below', async () => {
    const { deps } = setUp({ staked: 5000n * AIC - 1n })
    const error = await refusal(tierAccess(deps, session, { tier: 'premium' }))
    expect(error?.code).toBe('tier_required')
    expect(error?.details).toMatchObject({
      paymentState: 'unused',
      required: { heldAic: '0.000000000000000000', stakedAic: '5000.000000000000000000' },
      actual: { heldAic: '0.000000000000000000', stakedAic: '4999.999999999999999999' },
    })
  })

  it('behavior: opens at exactly the requirement', async () => {
    const { deps } = setUp({ staked: 5000n * AIC })
    expect(await refusal(tierAccess(deps, session, { tier: 'premium' }))).toBeNull()
  })

  it('error: tier_unavailable when the chain is out, never a false "you hold nothing"', async () => {
    const { deps, chain } = setUp({ held: 500n * AIC })
    chain.state.down = true
    expect((await refusal(tierAccess(deps, session, { tier: 'standard' })))?.code).toBe('tier_unavailable')
  })
})

describe('readStake', () => {
  it('default: is read once per 30 s and wallet', async () => {
    const { deps, chain, clock } = setUp({ staked: 1000n * AIC })
    expect(await readStake(deps, session)).toEqual({ stakedAtomic: 1000n * AIC, failed: false })
    chain.state.stakes.set(session.address.toLowerCase(), 0n)
    clock.advance(29_999)
    expect((await readStake(deps, session)).stakedAtomic).toBe(1000n * AIC)
    clock.advance(1)
    expect((await readStake(deps, session)).stakedAtomic).toBe(0n)
    expect(chain.state.calls).toEqual(['stakedBalance', 'stakedBalance'])
  })

  it('behavior: a failed read is 0, is logged with a short address, and refuses nothing', async () => {
    const { deps, chain, clock, log } = setUp({ staked: 1000n * AIC })
    chain.state.down = true
    expect(await readStake(deps, session)).toEqual({ stakedAtomic: 0n, failed: true })
    expect(log.lines[0]).toMatchObject({ level: 'error', event: 'staking.read_failed' })
    expect(JSON.stringify(log.lines)).not.toContain(session.address)
    chain.state.down = false
    clock.advance(2_000)
    expect(await readStake(deps, session)).toEqual({ stakedAtomic: 1000n * AIC, failed: false })
  })

  it('behavior: without a staking contract nothing is asked and nothing failed', async () => {
    const { deps, chain } = setUp({}, makeTestConfig())
    expect(await readStake(deps, session)).toEqual({ stakedAtomic: 0n, failed: false })
    expect(chain.state.calls).toEqual([])
  })
})

describe('paidLimit', () => {
  it('default: 10 a minute for every wallet', async () => {
    expect(await paidLimit(setUp({ staked: 5000n * AIC }, makeTestConfig()).deps, session)).toBe(10)
  })

  it.each([
    [{}, 10],
    [{ held: 500n * AIC }, 20],
    [{ staked: 5000n * AIC }, 60],
  ])('behavior: M4 with enforced tiers, holding %o allows %d', async (holdings, limit) => {
    expect(await paidLimit(setUp(holdings).deps, session)).toBe(limit)
  })
})
