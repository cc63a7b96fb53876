import { expect, it } from 'vitest'
import { makeTestConfig } from '../../../../test/helpers/config.ts'
import { makeTestDeps } from '../../../../test/helpers/deps.ts'
import { findModel } from '../../models/catalogue.ts'
import { forgetHistory } from '../../models/history.ts'
import { priceOf } from './price.ts'

const STAKING = '0x00000000000000000000000000000000000000A2'
const session = { address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A', chainId: 84532 } as const
const MODEL = 'black-forest-labs/flux-schnell'

it('behavior: a price follows runs, stake and configuration, whatever was cached', async () => {
  const sums: Record<string, unknown>[] = []
  const database = { run: async () => sums, batch: async () => [] }
  const config = makeTestConfig({ ratePerSec: '0.001', aic: { stakingAddress: STAKING } })
  const { deps, chain, clock } = makeTestDeps({ config, database })
  const model = findModel(MODEL)
  if (model === undefined) throw new Error('no such model')
  const cost = async (now = deps): Promise<string> => (await priceOf(now, session, model)).estimatedCostUsdc

  expect(await cost()).toBe('0.010000')
  sums.push({ model: MODEL, timed: '1', predict_time_ms: '2000', is_there: null, fits: null, checked_ms: null })
  expect(await cost()).toBe('0.010000')
  forgetHistory(deps)
  expect(await cost()).toBe('0.002000')
  // 20 % off from 10,000 AIC on; the stake is read again after 30 s.
  chain.state.stakes.set(session.address.toLowerCase(), 10_000n * 10n ** 18n)
  clock.advance(31_000)
  expect(await cost()).toBe('0.001600')
  expect(await cost({ ...deps, config: { ...config, ratePerSec: '0.003' } })).toBe('0.004800')
  expect((await priceOf(deps, null, model)).estimatedCostUsdc).toBe('0.002000')
})
