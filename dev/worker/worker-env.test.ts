import { expect, test } from 'vitest'
import { loadConfig } from '../../worker/config/env.ts'
import { ADDRESS, PEERS } from './testing.ts'
import { viaUrl, workerEnv } from './worker-env.ts'

test('default: the worker accepts its variables, and its first origin is that of the ready line', () => {
  const config = loadConfig(workerEnv(PEERS, {}))
  expect(config.publicOrigins).toEqual(['http://127.0.0.1:8787', 'http://localhost:8787'])
  expect(config.networks).toMatchObject([{ chainId: 31337, usdc: { address: ADDRESS, name: 'USD Coin' } }])
  expect(config.facilitator).toEqual({ url: 'http://127.0.0.1:2' })
  expect(config.rateLimits).toBe(true)
})

test('behavior: without a facilitator settlement is skipped, without limits they are off', () => {
  const config = loadConfig(workerEnv({ ...PEERS, facilitatorUrl: '', limits: false }, {}))
  expect(config.facilitator).toBeNull()
  expect(config.rateLimits).toBe(false)
})

test('behavior: a payment counts as sign-in only where it was asked for', () => {
  expect(loadConfig(workerEnv(PEERS, {})).paymentSignIn).toBe(false)
  expect(loadConfig(workerEnv({ ...PEERS, paymentSignIn: true }, {})).paymentSignIn).toBe(true)
  expect(loadConfig(workerEnv(PEERS, { PAYMENT_SIGN_IN: 'true' })).paymentSignIn).toBe(true)
})

test('behavior: on chain 84532 the RPC has the variable of Base Sepolia', () => {
  const config = loadConfig(workerEnv({ ...PEERS, chainId: 84532 }, {}))
  expect(config.networks).toMatchObject([{ chainId: 84532, rpcUrl: 'http://127.0.0.1:1' }])
})

test('behavior: variables of the shell win, and unknown ones are not passed', () => {
  const env = workerEnv(PEERS, { MIN_CONFIRMATIONS: '0', ENFORCE_TIERS: 'true', HOME: '/root' })
  expect(env).toMatchObject({ MIN_CONFIRMATIONS: '0', ENFORCE_TIERS: 'true' })
  expect(env).not.toHaveProperty('HOME')
})

test('behavior: networks, RPCs and limits of the shell reach the worker, the own chain stays', () => {
  const shell = {
    PAYMENT_NETWORKS: 'eip155:84532,eip155:11155111',
    SEPOLIA_RPC_URL: 'http://127.0.0.1:7',
    BASE_SEPOLIA_RPC_URL: 'http://127.0.0.1:8',
    RATE_LIMITS: 'off',
  }
  const config = loadConfig(workerEnv({ ...PEERS, chainId: 84532 }, shell))
  expect(config.networks.map(({ chainId, rpcUrl }) => [chainId, rpcUrl])).toEqual([
    [84532, 'http://127.0.0.1:1'],
    [11155111, 'http://127.0.0.1:7'],
  ])
  expect(config.rateLimits).toBe(false)
  expect(workerEnv({ ...PEERS, limits: false }, { RATE_LIMITS: 'on', PAYMENT_NETWORKS: '' })).toMatchObject({
    RATE_LIMITS: 'off',
    PAYMENT_NETWORKS: 'eip155:31337',
  })
})

test.each([
  ['http://127.0.0.1:5/v1', undefined, 'http://127.0.0.1:5/v1'],
  ['http://127.0.0.1:5/v1', 'http://127.0.0.1:9', 'http://127.0.0.1:9/v1'],
  ['http://127.0.0.1:3/sql', 'http://127.0.0.1:9/', 'http://127.0.0.1:9/sql'],
  ['http://127.0.0.1:3/sql', 'http://127.0.0.1:9/slow/sql', 'http://127.0.0.1:9/slow/sql'],
  ['http://127.0.0.1:4', 'http://127.0.0.1:9', 'http://127.0.0.1:9'],
])('behavior: %s via %s is %s', (own, via, expected) => {
  expect(viaUrl(own, via)).toBe(expected)
})
