import { describe, expect, it } from 'vitest'
import { usdcOf } from '../../../protocol/networks.ts'
import { SpendCapError } from '../errors.ts'
import { readChallenge } from './challenge.ts'
import { chooseOffer } from './choose.ts'

const payTo = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const token = '0x1111111111111111111111111111111111111111'
const BASE = 'eip155:8453'

const entry = (members: Record<string, unknown> = {}) => ({
  scheme: 'exact',
  network: 'eip155:8453',
  asset: usdcOf('eip155:8453')?.address,
  amount: '10000',
  payTo,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
  ...members,
})
const challenge = (...accepts: unknown[]) => readChallenge(null, { x402Version: 2, accepts, extensions: {} }, 0)

describe('which entry is signed', () => {
  it('default: USDC up to the limit, the limit itself included', () => {
    expect(chooseOffer(challenge(entry()), { maxUsdc: '0.01' }, BASE).price).toBe('0.010000 USDC')
  })

  it('error: SpendCapError one atomic unit above the limit', () => {
    expect(() => chooseOffer(challenge(entry({ amount: '10001' })), { maxUsdc: '0.01' }, BASE)).toThrow(SpendCapError)
  })

  it('error: SpendCapError for the entry to sign, although one of another token is cheaper', () => {
    const cheap = entry({ asset: token, amount: '1', extra: { name: 'AIC', version: '1' } })
    expect(() => chooseOffer(challenge(cheap, entry({ amount: '90000' })), { maxUsdc: '0.01' }, BASE)).toThrow(
      SpendCapError,
    )
  })

  it('error: SpendCapError for a token that only calls itself USDC', () => {
    expect(() => chooseOffer(challenge(entry({ asset: token })), { maxUsdc: '1' }, BASE)).toThrow(SpendCapError)
    expect(() => chooseOffer(challenge(entry({ network: 'eip155:10' })), { maxUsdc: '1' }, 'eip155:10')).toThrow(
      SpendCapError,
    )
  })

  it('behavior: on the dev chain the service names its USDC', () => {
    const dev = entry({ network: 'eip155:31337', asset: token })
    expect(chooseOffer(challenge(dev), { maxUsdc: '1' }, 'eip155:31337').offer.asset).toBe(token)
  })

  it('behavior: another token is taken at its own address and up to its own limit only', () => {
    const aic = entry({ asset: token, amount: '2000000000000000000', extra: { name: 'AIC', version: '1' } })
    const payIn = { asset: token, decimals: 18, max: '2' }
    expect(chooseOffer(challenge(entry(), aic), { maxUsdc: '0', payIn }, BASE).price).toBe('2.000000000000000000 AIC')
    expect(() =>
      chooseOffer(challenge(aic), { maxUsdc: '9', payIn: { ...payIn, max: '1.999999999999999999' } }, BASE),
    ).toThrow(SpendCapError)
  })

  it('behavior: entries that cannot be signed are passed over', () => {
    const odd = [
      entry({ scheme: 'upto' }),
      entry({ network: 'solana:1' }),
      entry({ amount: '1e4' }),
      entry({ payTo: 'me' }),
      7,
    ]
    expect(challenge(...odd, entry()).offers).toHaveLength(1)
  })
})
