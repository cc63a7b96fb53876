import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { done, RESULT, scriptedService } from '../../testing/scripted-service.ts'
import { createCoinslot } from '../coinslot.ts'
import { InsufficientFundsError } from '../errors.ts'

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const request = { task: 'text-to-text', model: 'a/b', input: { prompt: 'hi' } } as const

/** A client of a service that asks 0.010000 USDC on Base, and reads `account` from the chain. */
function shop(has: Parameters<typeof scriptedService>[1]) {
  const service = scriptedService([done], has)
  const coinslot = createCoinslot({
    origin: 'https://a.example',
    account,
    fetch: service.fetch,
    budget: {
      reserve: async () => {
        service.sent.push('reserved')
        return { cancel: async () => undefined, lapse: async () => undefined }
      },
    },
  })
  return { ...service, coinslot }
}

test('error: InsufficientFundsError names the address, the price and the balance; nothing is reserved, signed or kept', async () => {
  const { coinslot, sent } = shop({ account: { chainId: 8453, balances: { usdc: '0.009999' } } })
  await expect(coinslot.run(request).result()).rejects.toThrow(
    new InsufficientFundsError(
      `The price is 0.010000 USDC, and ${account.address} has 0.009999 on eip155:8453. ` +
        'Nothing was signed: send USDC to that address first.',
    ),
  )
  expect([sent, await coinslot.unfinished()]).toEqual([[], []])
})

test.each([
  ['just the price', { chainId: 8453, balances: { usdc: '0.010000' } }],
  ['an unknown amount', { chainId: 8453, balances: { usdc: null } }],
  ['nothing, on another network', { chainId: 1, balances: { usdc: '0.000000' } }],
  ['something that is no amount', { chainId: 8453, balances: { usdc: 'lots' } }],
  ['no account that could be read', { code: 'rate_limited' }],
])('behavior: with %s the purchase goes on', async (_, told) => {
  const { coinslot, sent } = shop({ account: told })
  expect(await coinslot.run(request).result()).toEqual(RESULT)
  expect(sent).toHaveLength(2)
})
