import { describe, expect, test } from 'vitest'
import { loadFacilitatorConfig } from './env.ts'
import { DEFAULT_GAS_BUDGET } from './gas/gas-budget.ts'

const environment = {
  DATABASE_URL: 'postgresql://coinslot@127.0.0.1:5432/coinslot',
  FACILITATOR_PRIVATE_KEY: `0x${'11'.repeat(32)}`,
  FACILITATOR_TOKEN: 'a bearer token of more than thirty-two characters',
  PAYMENT_NETWORKS: 'eip155:8453',
  BASE_RPC_URL: 'https://rpc.example/key',
  RECEIVER_ADDRESS: '0xc90cf362B62f185f47a1abD6Fa2951bE56bD9FDe',
}

test('default: the gas budget, where no variable sets it', () => {
  expect(loadFacilitatorConfig(environment).budget).toEqual(DEFAULT_GAS_BUDGET)
})

test('behavior: each variable sets its part of the gas budget, zero too', () => {
  const { budget } = loadFacilitatorConfig({
    ...environment,
    FACILITATOR_PAYER_GAS_PER_HOUR: '400000',
    FACILITATOR_TRIAL_GAS_PER_HOUR: '0',
    FACILITATOR_LOST_GAS_PER_HOUR: '50000000',
  })
  expect(budget).toEqual({ perPayer: 400_000n, onTrial: 0n, perNetwork: 50_000_000n })
})

test.each(['-1', '1.5', '1e6', 'much'])('error: a gas budget of %s is named as a fault', (value) => {
  expect(() => loadFacilitatorConfig({ ...environment, FACILITATOR_TRIAL_GAS_PER_HOUR: value })).toThrow(
    'FACILITATOR_TRIAL_GAS_PER_HOUR must be a whole number of gas',
  )
})

describe('batch contracts', () => {
  const batch = '0x1111111111111111111111111111111111111111'
  const load = (value: string) =>
    loadFacilitatorConfig({ ...environment, FACILITATOR_BATCH_CONTRACTS: value }).networks.map((one) => one.batch)

  test('default: none, so that payments are sent one by one', () => {
    expect(load('')).toEqual([undefined])
  })

  test('behavior: G1 the one of each network', () => {
    expect(load(`eip155:8453=${batch}`)).toEqual([batch])
  })

  test.each([batch, 'eip155:8453=0x12', `eip155:1=${batch}`])('error: G1 %s is named as a fault', (value) => {
    expect(() => load(value)).toThrow('FACILITATOR_BATCH_CONTRACTS')
  })
})

describe('signing keys', () => {
  const [first, second] = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`]
  const keysOf = (change: Record<string, string>) => loadFacilitatorConfig({ ...environment, ...change }).privateKeys

  test('default: the one of FACILITATOR_PRIVATE_KEY', () => {
    expect(keysOf({})).toEqual([first])
  })

  test('behavior: a list, and each key once', () => {
    expect(keysOf({ FACILITATOR_PRIVATE_KEYS: `${second}, ${first}` })).toEqual([second, first])
    expect(keysOf({ FACILITATOR_PRIVATE_KEY: '', FACILITATOR_PRIVATE_KEYS: `${second},${second}` })).toEqual([second])
  })

  test('error: a faulty key in the list is named, without its value', () => {
    expect(() => keysOf({ FACILITATOR_PRIVATE_KEYS: `${first},0x1234` })).toThrow(
      /^(?!.*0x1234).*FACILITATOR_PRIVATE_KEYS/s,
    )
  })
})
