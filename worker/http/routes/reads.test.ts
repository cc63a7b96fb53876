import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { K1, K2, makeTestApp, type TestClient } from '../../../test/helpers/app.ts'
import { makeTestConfig, TEST_AIC, TEST_ORIGIN } from '../../../test/helpers/config.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { seedInference } from '../../../test/helpers/seed.ts'
import { catalogue } from '../../domain/models/catalogue.ts'

const db = useDatabase()
const ME = K1.address.toLowerCase()
const ONE = 10n ** 18n
const ZERO_AIC = '0.000000000000000000'

/** A kit with its own database object, so that tests do not share what an isolate caches. */
const setUp = (overrides: Parameters<typeof makeTestApp>[0] = {}) =>
  makeTestApp({ database: { ...db.database }, ...overrides })

describe('GET /api/models', () => {
  const modelsSchema = z.object({
    models: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        task: z.enum(['text-to-image', 'text-to-text', 'text-to-sound']),
        tier: z.enum(['free', 'standard', 'premium']),
        locked: z.boolean(),
        lock: z.strictObject({
          tier: z.enum(['free', 'standard', 'premium']),
          heldAic: z.string(),
          stakedAic: z.string(),
          met: z.boolean().nullable(),
          enforced: z.boolean(),
        }),
        description: z.string(),
        outputType: z.enum(['text', 'image', 'audio']),
        inputSchema: z.looseObject({ type: z.literal('object') }),
        example: z.record(z.string(), z.unknown()),
        estimatedSeconds: z.number().positive(),
        estimatedCostUsdc: z.string().regex(/^\d+\.\d{6}$/),
        available: z.boolean(),
        deprecatedAt: z.string().nullable(),
        replacedBy: z.string().nullable(),
      }),
    ),
  })

  it('error: G8 a bad proof is refused at the models, and caches vary by it', async () => {
    const answer = await setUp().client().get('/api/models', { 'SIGN-IN-WITH-X': 'no proof' })
    expect(answer.json).toMatchObject({ status: 400, code: 'invalid_siwe_message' })
    const signedOut = await setUp().client().get('/api/models')
    expect(signedOut.headers.get('Vary')).toBe('Cookie, Origin, SIGN-IN-WITH-X')
  })

  it('default: the whole catalogue, cacheable by anybody while signed out', async () => {
    const answer = await setUp().client().get('/api/models')
    const { models } = modelsSchema.parse(answer.json)
    expect(models.map(({ id }) => id)).toEqual(catalogue.map(({ id }) => id))
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=60')
    expect(answer.headers.get('Vary')).toBe('Cookie, Origin, SIGN-IN-WITH-X')
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(answer.headers.has('X-Request-Id')).toBe(false)
  })

  it.each([
    ['off', false, []],
    ['on', true, ['standard', 'premium']],
  ] as const)('behavior: locked only where ENFORCE_TIERS refuses now: %s', async (_setting, enforceTiers, expected) => {
    const kit = setUp({ config: makeTestConfig({ aic: TEST_AIC, enforceTiers }) })
    const lockedTiers = async (client: TestClient) => {
      const { models } = modelsSchema.parse((await client.get('/api/models')).json)
      return [...new Set(models.filter(({ locked }) => locked).map(({ tier }) => tier))]
    }
    expect(await lockedTiers(kit.client())).toEqual(expected)
    expect(await lockedTiers(await kit.signedIn())).toEqual(expected)
    const staker = await kit.signedIn(K2)
    kit.chain.state.stakes.set(K2.address.toLowerCase(), 5000n * ONE)
    expect(await lockedTiers(staker)).toEqual(enforceTiers ? ['standard'] : [])
    kit.chain.state.down = true
    kit.clock.advance(3_600_000)
    expect(await lockedTiers(staker)).toEqual(expected)
  })

  it.each([false, true])('behavior: M1 what a model takes is shown with ENFORCE_TIERS %s', async (enforced) => {
    const kit = setUp({ config: makeTestConfig({ aic: TEST_AIC, enforceTiers: enforced }) })
    const locksOf = async (client: TestClient) => {
      const { models } = modelsSchema.parse((await client.get('/api/models')).json)
      return Object.fromEntries(models.map(({ lock }) => [lock.tier, lock]))
    }
    const [none, held, staked] = [ZERO_AIC, '500.000000000000000000', '5000.000000000000000000']
    const free = { tier: 'free', heldAic: none, stakedAic: none, met: true, enforced }
    const standard = { tier: 'standard', heldAic: held, stakedAic: none, met: null, enforced }
    const premium = { tier: 'premium', heldAic: none, stakedAic: staked, met: null, enforced }
    expect(await locksOf(kit.client())).toEqual({ free, standard, premium })
    kit.chain.state.stakes.set(K2.address.toLowerCase(), 5000n * ONE)
    const staker = await kit.signedIn(K2)
    const met = { free, standard: { ...standard, met: false }, premium: { ...premium, met: true } }
    expect(await locksOf(staker)).toEqual(met)
    kit.chain.state.down = true
    kit.clock.advance(3_600_000)
    expect(await locksOf(staker)).toEqual({ free, standard, premium })
  })

  it('behavior: a staker sees the discounted price and no lock, never cached', async () => {
    const kit = setUp({ config: makeTestConfig({ aic: TEST_AIC, enforceTiers: true }) })
    kit.chain.state.stakes.set(ME, 10_000n * ONE)
    const image = catalogue.find(({ task }) => task === 'text-to-image')?.id
    const priceOf = (json: unknown) => modelsSchema.parse(json).models.find(({ id }) => id === image)
    const open = priceOf((await kit.client().get('/api/models')).json)
    const answer = await (await kit.signedIn()).get('/api/models')
    expect(open?.estimatedCostUsdc).toBe('0.010000')
    expect(priceOf(answer.json)).toMatchObject({ estimatedCostUsdc: '0.008000', estimatedSeconds: 10 })
    expect(
      modelsSchema
        .parse(answer.json)
        .models.filter(({ tier }) => tier === 'premium')
        .every((m) => !m.locked),
    ).toBe(true)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(kit.chain.state.calls.sort()).toEqual(['balanceOf', 'stakedBalance'])
  })

  it('behavior: the mean of earlier runs makes the price, rounded up to a whole ms', async () => {
    const model = catalogue[0]
    await db.database.run(
      sql`insert into model_sum_parts (model, part, succeeded, timed, predict_time_ms) values (${model?.id}, 0, 3, 3, 10000)`,
    )
    const { models } = modelsSchema.parse((await setUp().client().get('/api/models')).json)
    expect(models[0]).toMatchObject({ estimatedSeconds: 3.334, estimatedCostUsdc: '0.003334' })
  })
})

describe('GET /api/account', () => {
  it('default: holdings, tier, discount, balances and what was spent', async () => {
    const kit = setUp({ config: makeTestConfig({ aic: TEST_AIC }) })
    const balance = (token: string, amount: bigint) =>
      kit.chain.state.balances.set(`${token}:${ME}`.toLowerCase(), amount)
    kit.chain.state.stakes.set(ME, 1000n * ONE)
    balance(TEST_AIC.tokenAddress, 500n * ONE)
    balance(TEST_AIC.paymentTokenAddress, 7n * ONE)
    balance('0x036CbD53842c5426634e7929541eC2318f3dCF7e', 1_234_567n)
    for (const status of ['succeeded', 'failed'] as const)
      await seedInference(db.database, { owner: ME, createdAt: new Date(), status })
    await seedInference(db.database, {
      owner: ME,
      createdAt: new Date(),
      asset: TEST_AIC.paymentTokenAddress.toLowerCase(),
      amount: String(ONE),
    })
    expect((await (await kit.signedIn()).get('/api/account')).json).toEqual({
      address: K1.address,
      chainId: 84532,
      stakedAic: '1000.000000000000000000',
      heldAic: '500.000000000000000000',
      tier: 'standard',
      discountPct: '10.00',
      effectiveRateUsdc: '0.000900000',
      balances: { usdc: '1.234567', aic: '7.000000000000000000' },
      spent: { usdc: '0.020000', aic: '1.000000000000000000' },
    })
  })

  it('behavior: what the chain did not tell is null, not 0', async () => {
    const kit = setUp({ config: makeTestConfig({ aic: TEST_AIC }) })
    kit.chain.state.down = true
    expect((await (await kit.signedIn()).get('/api/account')).json).toMatchObject({
      stakedAic: null,
      heldAic: null,
      tier: 'free',
      discountPct: '0.00',
      balances: { usdc: null, aic: null },
    })
  })

  it('error: B10 balances are read once in 2 s, so that a payment shows in the next block', async () => {
    const kit = setUp({ config: makeTestConfig({ aic: TEST_AIC }) })
    const client = await kit.signedIn()
    const reads = () => kit.chain.state.calls.filter((name) => name === 'balanceOf').length
    for (let count = 0; count < 5; count += 1) await client.get('/api/account')
    // USDC and AIC to pay with, and the AIC held for the tier.
    expect(reads()).toBe(3)
    kit.clock.advance(2_000)
    await client.get('/api/account')
    expect(reads()).toBe(5)
  })

  it('error: unauthenticated', async () => {
    expect((await setUp().client().get('/api/account', { Origin: TEST_ORIGIN })).status).toBe(401)
  })
})
