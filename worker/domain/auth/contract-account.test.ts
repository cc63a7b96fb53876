import { describe, expect, it } from 'vitest'
import { K1, makeTestApp } from '../../../test/helpers/app.ts'
import { BASE_SEPOLIA, makeTestConfig, SEPOLIA } from '../../../test/helpers/config.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { seedInference } from '../../../test/helpers/seed.ts'

const db = useDatabase()

const ME = K1.address.toLowerCase()
const TOKEN = '0x00000000000000000000000000000000000000A1'
const STAKING = '0x00000000000000000000000000000000000000A2'
const AIC = 10n ** 18n
const [HOME, OTHER] = [BASE_SEPOLIA.chainId, SEPOLIA.chainId]
const REQUEST = {
  task: 'text-to-text',
  model: 'meta/meta-llama-3-8b-instruct',
  input: { prompt: 'Why is the sea blue?' },
}

/** A service of two chains with AIC on the first, where this wallet has the premium stake. */
function open(overrides: Parameters<typeof makeTestConfig>[0] = {}) {
  const aic = { tokenAddress: TOKEN, stakingAddress: STAKING } as const
  const config = makeTestConfig({ networks: [BASE_SEPOLIA, SEPOLIA], aic, enforceTiers: true, ...overrides })
  const kit = makeTestApp({ config, database: { ...db.database } })
  kit.chain.state.stakes.set(ME, 5_000n * AIC)
  kit.chain.state.balances.set(`${TOKEN}:${ME}`.toLowerCase(), 500n * AIC)
  return { ...kit, signedIn: (chainId: number) => kit.signedIn(K1, chainId) }
}

const PREMIUM = { tier: 'premium', stakedAic: '5000.000000000000000000', heldAic: '500.000000000000000000' }
const NOTHING = {
  tier: 'free',
  discountPct: '0.00',
  stakedAic: '0.000000000000000000',
  heldAic: '0.000000000000000000',
}

describe('tier, discount and stake', () => {
  it.each([
    ['a plain account on the first chain', HOME, [], PREMIUM],
    ['a plain account on another chain', OTHER, [], PREMIUM],
    ['a contract wallet on the first chain', HOME, [HOME], PREMIUM],
    ['a contract wallet on another chain', OTHER, [HOME], NOTHING],
    ['a contract on another chain alone', OTHER, [OTHER], NOTHING],
  ] as const)('behavior: %s', async (_who, chainId, contracts, expected) => {
    const { chain, signedIn } = open()
    for (const id of contracts) chain.state.contracts.add(`${id}:${ME}`)
    expect((await (await signedIn(chainId)).get('/api/account')).json).toMatchObject(expected)
  })

  it('behavior: on another chain than the stake there is no discount and no gated model', async () => {
    const { chain, signedIn } = open()
    chain.state.contracts.add(`${HOME}:${ME}`)
    const price = async (chainId: number) =>
      (await (await signedIn(chainId)).post('/api/inference/estimate', { task: REQUEST.task, model: REQUEST.model }))
        .json
    expect(await price(HOME)).not.toEqual(await price(OTHER))
    const models = (await (await signedIn(OTHER)).get('/api/models')).text
    expect(models).toContain('"tier":"premium","locked":true')
  })

  it('error: an account that cannot be read on the chain counts as unread, never as plain', async () => {
    const { chain, signedIn } = open()
    chain.isContract = () => Promise.reject(new Error('down'))
    expect((await (await signedIn(OTHER)).get('/api/account')).json).toMatchObject({ tier: 'free', stakedAic: null })
  })
})

describe('what was spent', () => {
  it('behavior: a contract wallet sees its own chain only, a plain account every chain', async () => {
    for (const [chainId, signatureRecovered] of [
      [HOME, false],
      [OTHER, true],
    ] as const) {
      const { address } = chainId === HOME ? BASE_SEPOLIA.usdc : SEPOLIA.usdc
      const asset = address.toLowerCase()
      await seedInference(db.database, { owner: ME, createdAt: new Date(), chainId, asset, signatureRecovered })
    }
    const { signedIn } = open()
    const spentOn = async (chainId: number) => (await (await signedIn(chainId)).get('/api/account')).json
    expect(await spentOn(HOME)).toMatchObject({ spent: { usdc: '0.020000' } })
    expect(await spentOn(OTHER)).toMatchObject({ spent: { usdc: '0.010000' } })
  })
})

describe('administrators', () => {
  const plain = [{ address: ME, chainId: null }]
  const onHome = [{ address: ME, chainId: HOME }]
  const cases = [
    ['a plain account without a chain', plain, OTHER, [], 200],
    ['a contract wallet that is listed as a plain account', plain, HOME, [HOME], 403],
    ['a contract wallet with its chain, there', onHome, HOME, [HOME], 200],
    ['a contract wallet with its chain, elsewhere', onHome, OTHER, [HOME, OTHER], 403],
    ['a contract on another chain at the address of a plain account', plain, HOME, [OTHER], 403],
  ] as const

  it.each(cases)('behavior: %s', async (_who, admins, chainId, contracts, status) => {
    const { chain, signedIn } = open({ admins })
    for (const id of contracts) chain.state.contracts.add(`${id}:${ME}`)
    expect((await (await signedIn(chainId)).get('/api/admin/payments')).status).toBe(status)
  })

  it.each(cases)(
    'behavior: buying, where administrators alone may: %s',
    async (_who, admins, chainId, contracts, status) => {
      const { chain, signedIn } = open({ admins, buyersRestricted: true })
      for (const id of contracts) chain.state.contracts.add(`${id}:${ME}`)
      const client = await signedIn(chainId)
      await client.get('/api/auth/nonce')
      expect((await client.post('/api/inference', REQUEST)).status).toBe(status === 200 ? 402 : 403)
    },
  )

  it('error: not_admin with a retry when the chain does not answer', async () => {
    const { chain, signedIn } = open({ admins: plain })
    chain.isContract = () => Promise.reject(new Error('down'))
    expect((await (await signedIn(HOME)).get('/api/admin/metrics')).json).toMatchObject({
      code: 'not_admin',
      nextAction: 'wait_and_retry',
    })
  })
})
