import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { describeError } from '../../cli/exit.ts'
import { PROGRAM } from '../../node/program.ts'
import { done, RESULT, recordingBudget, scriptedService } from '../../testing/scripted-service.ts'
import { createCoinslot } from '../coinslot.ts'
import { InsufficientFundsError } from '../errors.ts'

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const request = { task: 'text-to-text', model: 'a/b', input: { prompt: 'hi' } } as const

/** A client of a service that asks 0.010000 USDC on Base, and reads `account` from the chain. */
function setUp(has: Parameters<typeof scriptedService>[1], isCounted = true) {
  const service = scriptedService([done], has)
  const { budget, calls } = recordingBudget()
  const coinslot = createCoinslot({
    origin: 'https://a.example',
    account,
    fetch: service.fetch,
    ...(isCounted && { budget }),
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
  expect(failed).toMatchObject({ shortage: { ...shortage, token: 'USDC', wrap: null } })
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

const WRAPPED = '0x00000000000000000000000000000000000000ac'
const payIn = { asset: WRAPPED, decimals: 18, max: '10' }

/** A client of a service that asks 5 AIC. */
const setUpAic = (wrapped: string | null, plain: string | null) => {
  const balances = { usdc: '0.000000', aic: wrapped }
  const known = { chainId: 8453, balances, heldAic: plain, discountPct: '0.00' }
  return setUp({ asset: WRAPPED, amount: String(5n * 10n ** 18n), account: known }, false)
}

test.each([
  ['enough AIC', '3.5', '1.500000', 'wrap 3.500000 of its AIC first', '3.500000'],
  [
    'AIC to the last unit',
    '3.500000000000000001',
    '1.499999999999999999',
    'wrap 3.500000000000000001 of its AIC first',
  ],
  ['too little AIC', '3.499999999999999999', '1.500000', 'send AIC to that address first', null],
  ['an unknown amount of AIC', null, '1.500000', 'send AIC to that address first', null],
])('error: who lacks wrapped AIC and has %s learns what to do', async (_, plain, wrapped, next, wrap = plain) => {
  const { coinslot, sent } = setUpAic(wrapped, plain)
  const failed: unknown = await coinslot
    .run(request, { payIn })
    .result()
    .catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(InsufficientFundsError)
  expect(failed).toHaveProperty(
    'message',
    `${account.address} needs 5.000000 wrapped AIC on Base, and has ${wrapped}. Nothing was signed: ${next}.`,
  )
  expect(failed).toMatchObject({ shortage: { token: 'AIC', wrap } })
  const lines = [
    `  ${PROGRAM} wrap ${wrap} --aic-token ${WRAPPED} --rpc URL`,
    '  The service reads balances again after ten seconds: do not wrap twice.',
  ]
  expect(describeError(failed).split('\n').slice(1)).toEqual(wrap === null ? [] : lines)
  expect(sent).toEqual([])
})

test('default: on the local chain `wrap` needs no node and no contract', () => {
  const local = { address: account.address, network: 'eip155:31337', token: 'AIC', asset: WRAPPED } as const
  const failed = new InsufficientFundsError({ ...local, price: '5', balance: '3', wrap: '2' })
  expect(describeError(failed)).toContain(`\n  ${PROGRAM} wrap 2\n`)
})

test.each(['5.000000000000000000', null])('behavior: with %s wrapped AIC the purchase continues', async (wrapped) => {
  const { coinslot, sent } = setUpAic(wrapped, '0')
  expect(await coinslot.run(request, { payIn }).result()).toEqual(RESULT)
  expect(sent).toHaveLength(1)
})
