import { expect, test } from 'vitest'
import { addressRule, checkEnv, oneOf } from '../build/required-env.ts'
import { ADDRESS_VARIABLES } from './variables.ts'

const ADDRESS = `0x${'a1'.repeat(20)}`
const required = Object.fromEntries(Object.values(ADDRESS_VARIABLES).map((name) => [name, addressRule]))
const good = Object.fromEntries(Object.keys(required).map((name) => [name, ADDRESS]))

test('default: the nine variables of the specification are required, each by its name', () => {
  expect(Object.keys(required).toSorted()).toEqual([
    'NEXT_PUBLIC_AIC_TOKEN_ADDRESS',
    'NEXT_PUBLIC_CLAIM_MODULE_ADDRESS',
    'NEXT_PUBLIC_DEV_VAULT_ADDRESS',
    'NEXT_PUBLIC_LIQUIDITY_VAULT_ADDRESS',
    'NEXT_PUBLIC_MARKETING_VAULT_ADDRESS',
    'NEXT_PUBLIC_PRESALE_ADDRESS',
    'NEXT_PUBLIC_PRESALE_VAULT_ADDRESS',
    'NEXT_PUBLIC_TEAM_VAULT_ADDRESS',
    'NEXT_PUBLIC_USDC_ADDRESS',
  ])
  expect(() => checkEnv(good, required)).not.toThrow()
})

test('error: every missing variable and every wrong value is named at once', () => {
  const env = { ...good, NEXT_PUBLIC_USDC_ADDRESS: '', NEXT_PUBLIC_PRESALE_ADDRESS: '0x12', NETWORK: 'mars' }
  const check = () => checkEnv(env, required, { NETWORK: oneOf('ethereum', 'sepolia', 'base') })
  expect(check).toThrow(
    [
      'Variables of the build:',
      '  NETWORK must be ethereum, sepolia or base',
      '  NEXT_PUBLIC_PRESALE_ADDRESS must be an address (0x and 40 hex digits)',
      '  NEXT_PUBLIC_USDC_ADDRESS is missing',
    ].join('\n'),
  )
  expect(() => checkEnv({}, required)).toThrow(
    Object.keys(required)
      .map((name) => `  ${name} is missing`)
      .join('\n'),
  )
  expect(addressRule(`0x${'0'.repeat(40)}`)).not.toBeNull()
})
