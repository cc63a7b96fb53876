import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { done, RESULT, recordingBudget, scriptedService } from '../../testing/scripted-service.ts'
import { createCoinslot } from '../coinslot.ts'
import { InsufficientFundsError } from '../errors.ts'

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const request = { task: 'text-to-text', model: 'a/b', input: { prompt: 'hi' } } as const

/** A client of a service that asks 0.010000 USDC on Base, and reads `account` from the chain. */
function setUp(has: Parameters<typeof scriptedService>[1]) {
  const service = scriptedService([done], has)
  const { budget, calls } = recordingBudget()
  const coinslot = createCoinslot({
    origin: 'https://a.example',
    account,
    fetch: service.fetch,
    budget,
  })
  return { ...service, calls, coinslot }
}

test('error: InsufficientFundsError with address, price and balance; nothing is signed or kept', async () => {
  const { coinslot, sent, calls } = setUp({ account: { chainId: 8453, balances: { usdc: '0.009999' } } })
  const failed: unknown = await coinslot
    .run(request)
    .result()
    .catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(InsufficientFundsError)
  expect(failed).toHaveProperty(
    'message',
    `${account.address} needs 0.010000 USDC on Base, and has 0.009999. Nothing was signed: send USDC to that address first.`,
  )
  const shortage = { address: account.address, network: 'eip155:8453', price: '0.010000', balance: '0.009999' }
  expect(failed).toMatchObject({ shortage })
  expect([sent, calls, await coinslot.unfinished()]).toEqual([[], [], []])
})

test.each([
  ['just the price', { chainId: 8453, balances: { usdc: '0.010000' } }],
  ['an unknown amount', { chainId: 8453, balances: { usdc: null } }],
  ['nothing, on another network', { chainId: 1, balances: { usdc: '0.000000' } }],
  ['an invalid amount', { chainId: 8453, balances: { usdc: 'lots' } }],
  ['no account that could be read', { code: 'rate_limited' }],
])('behavior: with %s the purchase continues', async (_, has) => {
  const { coinslot, sent, calls } = setUp({ account: has })
  expect(await coinslot.run(request).result()).toEqual(RESULT)
  expect([sent.length, calls]).toEqual([1, ['reserve 10000']])
})
