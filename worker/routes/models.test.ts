import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { K1, K2, makeTestApp } from '../../test/helpers/app.ts'
import { makeTestConfig } from '../../test/helpers/config.ts'
import { sealFor } from '../../test/helpers/cookies.ts'
import { startTestDatabase, type TestDatabase } from '../../test/helpers/database.ts'
import { catalogue } from '../models/catalogue.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await startTestDatabase()
})
afterAll(() => test.close())

const ME = K1.address.toLowerCase()
const aic = {
  tokenAddress: '0x00000000000000000000000000000000000000A1',
  stakingAddress: '0x00000000000000000000000000000000000000A2',
} as const
const ONE = 10n ** 18n

/** A kit with its own database object, so that tests do not share what an isolate caches. */
function setUp(overrides: Parameters<typeof makeTestApp>[0] = {}) {
  return makeTestApp({ database: { ...test.database }, ...overrides })
}

async function signedIn(kit: ReturnType<typeof setUp>, account = K1, chainId = kit.deps.config.networks[0].chainId) {
  const client = kit.client()
  client.cookies.set('__Host-session', await sealFor(kit.deps.config, account.address, chainId))
  return client
}

describe('GET /api/models', () => {
  const modelsSchema = z.object({
    models: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        task: z.enum(['text-to-image', 'text-to-text', 'text-to-sound']),
        tier: z.enum(['free', 'standard', 'premium']),
        locked: z.boolean(),
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

  it('default: the whole catalogue, cacheable by anybody while signed out', async () => {
    const answer = await setUp().client().get('/api/models')
    const { models } = modelsSchema.parse(answer.json)
    expect(models.map(({ id }) => id)).toEqual(catalogue.map(({ id }) => id))
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=60')
    expect(answer.headers.get('Vary')).toBe('Cookie, Origin')
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(answer.headers.has('X-Request-Id')).toBe(false)
  })

  it.each([
    ['off', false, []],
    ['on', true, ['standard', 'premium']],
  ] as const)('behavior: locked only where ENFORCE_TIERS refuses now: %s', async (_setting, enforceTiers, expected) => {
    const kit = setUp({ config: makeTestConfig({ aic, enforceTiers }) })
    const lockedTiers = async (client: ReturnType<typeof kit.client>) => {
      const { models } = modelsSchema.parse((await client.get('/api/models')).json)
      return [...new Set(models.filter(({ locked }) => locked).map(({ tier }) => tier))]
    }
    expect(await lockedTiers(kit.client())).toEqual(expected)
    expect(await lockedTiers(await signedIn(kit))).toEqual(expected)
    const stranger = await signedIn(kit, K2)
    kit.chain.state.stakes.set(K2.address.toLowerCase(), 5000n * ONE)
    expect(await lockedTiers(stranger)).toEqual(enforceTiers ? ['standard'] : [])
    kit.chain.state.down = true
    kit.clock.advance(3_600_000)
    expect(await lockedTiers(stranger)).toEqual(expected)
  })

  it('behavior: a staker sees the discounted price and no lock, never cached', async () => {
    const kit = setUp({ config: makeTestConfig({ aic, enforceTiers: true }) })
    kit.chain.state.stakes.set(ME, 10_000n * ONE)
    const image = catalogue.find(({ task }) => task === 'text-to-image')?.id
    const priceOf = (json: unknown) => modelsSchema.parse(json).models.find(({ id }) => id === image)
    const open = priceOf((await kit.client().get('/api/models')).json)
    const answer = await (await signedIn(kit)).get('/api/models')
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
    await test.reset()
    const model = catalogue[0]
    await test.database.run(
      sql`insert into model_sums (model, succeeded, timed, predict_time_ms) values (${model?.id}, 3, 3, 10000)`,
    )
    const { models } = modelsSchema.parse((await setUp().client().get('/api/models')).json)
    expect(models[0]).toMatchObject({ estimatedSeconds: 3.334, estimatedCostUsdc: '0.003334' })
  })
})
