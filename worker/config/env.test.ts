import { readFile } from 'node:fs/promises'
import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from './env.ts'

const RECEIVER = '0x000000000000000000000000000000000000dEaD'
const AIC = '0x00000000000000000000000000000000000000a1'
const SECRET = 'qN3v8Zr1Yw6uT0sKx5Lp2Md7Gf4Hj9Bc'

const production = {
  PUBLIC_ORIGIN: 'https://coinslot.test',
  SESSION_SECRET: SECRET,
  DATABASE_URL: 'postgresql://user:pass@db.test/main',
  RECEIVER_ADDRESS: RECEIVER,
  X402_FACILITATOR_URL: 'https://facilitator.test/',
  MODEL_PROVIDER_API_TOKEN: 'r8_token',
  OBJECT_STORE_ACCOUNT_ID: 'acc0unt',
  OBJECT_STORE_ACCESS_KEY_ID: 'key',
  OBJECT_STORE_SECRET_ACCESS_KEY: 'a/b+c=d',
  OBJECT_STORE_BUCKET_NAME: 'results',
  OBJECT_STORE_PUBLIC_URL: 'https://cdn.coinslot.test/',
}
const development = {
  ...production,
  ENVIRONMENT: 'development',
  PUBLIC_ORIGIN: 'http://127.0.0.1:8787,http://localhost:8787',
  PAYMENT_NETWORKS: 'eip155:31337',
  ENABLE_DEV_CHAIN: 'true',
  DEV_USDC_ADDRESS: '0x1005dc00000000000000000000000000000005dc',
  MODEL_PROVIDER_BASE_URL: 'http://127.0.0.1:4000/v1',
  X402_FACILITATOR_URL: '',
}

/** The form of an Ed25519 key. */
const KEY_SECRET = btoa('k'.repeat(64))

function faultsOf(env: Record<string, unknown>): readonly string[] {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

describe('loadConfig', () => {
  it("default: the specification's required variables are enough for production on Ethereum", () => {
    const config = loadConfig(production)
    expect(config).toMatchObject({
      environment: 'production',
      publicOrigins: ['https://coinslot.test'],
      facilitator: { url: 'https://facilitator.test' },
      minConfirmations: 1,
      ratePerSec: '0.001',
      enforceTiers: false,
      buyersRestricted: false,
      rateLimits: true,
      paymentSignIn: false,
      openaiRoutes: true,
      mcpRoutes: true,
      admins: [],
      aic: {},
      receiverAddress: RECEIVER,
    })
    expect(config.networks.map(({ network, usdc }) => [network, usdc.name])).toEqual([['eip155:1', 'USD Coin']])
    expect(config.objectStore).toMatchObject({
      endpoint: 'https://acc0unt.r2.cloudflarestorage.com',
      publicUrl: 'https://cdn.coinslot.test',
      secretAccessKey: 'a/b+c=d',
    })
    expect(config.provider).toMatchObject({
      baseUrl: 'https://api.replicate.com/v1',
      fileHosts: ['replicate.delivery', '*.replicate.delivery', 'api.replicate.com'],
    })
  })

  it.each([
    ['true', true],
    ['false', false],
  ])('behavior: OPENAI_ROUTES=%s, and MCP_ROUTES likewise', (value, isOn) => {
    const config = loadConfig({ ...production, OPENAI_ROUTES: value, MCP_ROUTES: value })
    expect(config).toMatchObject({ openaiRoutes: isOn, mcpRoutes: isOn })
  })

  it('behavior: names every fault at once, and no value of any', () => {
    const faults = faultsOf({
      SESSION_SECRET: 'short-secret-value',
      DATABASE_URL: 'mysql://user:pass@db.test/main',
      RECEIVER_ADDRESS: '0xnope',
      INFERENCE_RATE_PER_SEC: '1e-3',
      AIC_BURN_BPS: '10001',
      MODEL_PROVIDER_API_TOKEN: 'r8_very_secret',
    })
    const names = new Set(faults.map((fault) => fault.split(' ')[0]))
    expect(names).toEqual(
      new Set([
        'PUBLIC_ORIGIN',
        'SESSION_SECRET',
        'DATABASE_URL',
        'RECEIVER_ADDRESS',
        'X402_FACILITATOR_URL',
        'INFERENCE_RATE_PER_SEC',
        'AIC_BURN_BPS',
        'OBJECT_STORE_ACCOUNT_ID',
        'OBJECT_STORE_ACCESS_KEY_ID',
        'OBJECT_STORE_SECRET_ACCESS_KEY',
        'OBJECT_STORE_BUCKET_NAME',
        'OBJECT_STORE_PUBLIC_URL',
      ]),
    )
    for (const value of ['short-secret', 'mysql', 'user:pass', '0xnope', 'r8_very']) {
      expect(faults.join('\n')).not.toContain(value)
    }
  })

  const refused: [string, Record<string, unknown>, string][] = [
    ['a test network in production', { PAYMENT_NETWORKS: 'eip155:1,eip155:84532' }, 'PAYMENT_NETWORKS'],
    [
      'the dev chain in production',
      { PAYMENT_NETWORKS: 'eip155:31337', DEV_USDC_ADDRESS: RECEIVER },
      'PAYMENT_NETWORKS',
    ],
    ['ENABLE_DEV_CHAIN in production', { ENABLE_DEV_CHAIN: 'true' }, 'ENABLE_DEV_CHAIN'],
    ['an http origin', { PUBLIC_ORIGIN: 'http://coinslot.test' }, 'PUBLIC_ORIGIN'],
    ['an http loopback origin in production', { PUBLIC_ORIGIN: 'http://localhost:8787' }, 'PUBLIC_ORIGIN'],
    ['an origin with a path', { PUBLIC_ORIGIN: 'https://coinslot.test/app' }, 'PUBLIC_ORIGIN'],
    ['no facilitator in production', { X402_FACILITATOR_URL: '' }, 'X402_FACILITATOR_URL'],
    ['a secret of 31 characters', { SESSION_SECRET: SECRET.slice(1) }, 'SESSION_SECRET'],
    ["the example's secret", { SESSION_SECRET: 'dev-only-change-me-0123456789abcdef' }, 'SESSION_SECRET'],
    ['a held-down key as a secret', { SESSION_SECRET: 'a'.repeat(40) }, 'SESSION_SECRET'],
    ['a short previous secret', { SESSION_SECRET_PREVIOUS: 'short' }, 'SESSION_SECRET_PREVIOUS'],
    [
      "the example's secret as the previous one",
      { SESSION_SECRET_PREVIOUS: 'dev-only-change-me-0123456789abcdef' },
      'SESSION_SECRET_PREVIOUS',
    ],
    ['a list of no origins', { PUBLIC_ORIGIN: ' , ' }, 'PUBLIC_ORIGIN'],
    ['a list of no networks', { PAYMENT_NETWORKS: ',' }, 'PAYMENT_NETWORKS'],
    ['a list of no file hosts', { MODEL_PROVIDER_FILE_HOSTS: ',' }, 'MODEL_PROVIDER_FILE_HOSTS'],
    ['a database without a host', { DATABASE_URL: 'postgresql:///coinslot' }, 'DATABASE_URL'],
    [
      'a provider with credentials',
      { MODEL_PROVIDER_BASE_URL: 'https://me:pw@provider.test' },
      'MODEL_PROVIDER_BASE_URL',
    ],
    ['a store with a query', { OBJECT_STORE_PUBLIC_URL: 'https://cdn.test/?a=1' }, 'OBJECT_STORE_PUBLIC_URL'],
    ['a facilitator with a fragment', { X402_FACILITATOR_URL: 'https://f.test/#x' }, 'X402_FACILITATOR_URL'],
    ['a facilitator key without its secret', { X402_FACILITATOR_KEY_ID: 'id' }, 'X402_FACILITATOR_KEY_SECRET'],
    ['a facilitator key without its id', { X402_FACILITATOR_KEY_SECRET: KEY_SECRET }, 'X402_FACILITATOR_KEY_ID'],
    [
      'an invalid facilitator key',
      { X402_FACILITATOR_KEY_ID: 'id', X402_FACILITATOR_KEY_SECRET: 'short' },
      'X402_FACILITATOR_KEY_SECRET',
    ],
    [
      'a facilitator key beside a token',
      { X402_FACILITATOR_KEY_ID: 'id', X402_FACILITATOR_KEY_SECRET: KEY_SECRET, X402_FACILITATOR_TOKEN: 't' },
      'X402_FACILITATOR_TOKEN',
    ],
    ['an invalid webhook secret', { MODEL_PROVIDER_WEBHOOK_SECRET: 'whsec_!' }, 'MODEL_PROVIDER_WEBHOOK_SECRET'],
    ['a rate of zero', { INFERENCE_RATE_PER_SEC: '0.000' }, 'INFERENCE_RATE_PER_SEC'],
    ['a rate with 10 decimals', { INFERENCE_RATE_PER_SEC: '0.0000000001' }, 'INFERENCE_RATE_PER_SEC'],
    ['a rate with a comma', { INFERENCE_RATE_PER_SEC: '0,001' }, 'INFERENCE_RATE_PER_SEC'],
    ['a rate with a leading zero', { INFERENCE_RATE_PER_SEC: '01.5' }, 'INFERENCE_RATE_PER_SEC'],
    ['a negative rate', { INFERENCE_RATE_PER_SEC: '-0.001' }, 'INFERENCE_RATE_PER_SEC'],
    ['a fractional burn share', { AIC_BURN_BPS: '20.5' }, 'AIC_BURN_BPS'],
    ['an unknown network', { PAYMENT_NETWORKS: 'eip155:137' }, 'PAYMENT_NETWORKS'],
    ["a network named like an object's own", { PAYMENT_NETWORKS: 'constructor' }, 'PAYMENT_NETWORKS'],
    ['limits switched off in production', { RATE_LIMITS: 'off' }, 'RATE_LIMITS'],
    ['a switch of another form', { OPENAI_ROUTES: 'maybe' }, 'OPENAI_ROUTES'],
    ['tiers without contracts', { ENFORCE_TIERS: 'true' }, 'ENFORCE_TIERS'],
    [
      'an address with a wrong checksum',
      { RECEIVER_ADDRESS: '0x000000000000000000000000000000000000DEaD' },
      'RECEIVER_ADDRESS',
    ],
    ['an administrator on a chain that is not served', { ADMIN_ADDRESSES: `eip155:10:${RECEIVER}` }, 'ADMIN_ADDRESSES'],
    ['an administrator of no EVM chain', { ADMIN_ADDRESSES: `solana:1:${RECEIVER}` }, 'ADMIN_ADDRESSES'],
    ['an administrator on chain 0', { ADMIN_ADDRESSES: `eip155:0:${RECEIVER}` }, 'ADMIN_ADDRESSES'],
    [
      'a bucket in the host of its endpoint',
      { OBJECT_STORE_ENDPOINT: 'https://results.acc.r2.cloudflarestorage.com' },
      'OBJECT_STORE_ENDPOINT',
    ],
    ['the zero address as payee', { RECEIVER_ADDRESS: `0x${'0'.repeat(40)}` }, 'RECEIVER_ADDRESS'],
    ['a DSN without a project', { ERROR_TRACKING_DSN: 'https://key@errors.test' }, 'ERROR_TRACKING_DSN'],
    ['a DSN without a key', { ERROR_TRACKING_DSN: 'https://errors.test/1' }, 'ERROR_TRACKING_DSN'],
    ['an http provider in production', { MODEL_PROVIDER_BASE_URL: 'http://provider.test' }, 'MODEL_PROVIDER_BASE_URL'],
  ]
  it.each(refused)('error: production refuses %s', (_what, change, variable) => {
    const faults = faultsOf({ ...production, ...change })
    expect(faults.length).toBeGreaterThan(0)
    for (const fault of faults) expect(fault).toMatch(new RegExp(`^(${variable}|ENABLE_DEV_CHAIN) `))
    expect(faults.some((fault) => fault.startsWith(`${variable} `))).toBe(true)
  })

  it.each(['AIC_TOKEN_ADDRESS', 'AIC_STAKING_ADDRESS', 'AIC_PAYMENT_TOKEN_ADDRESS', 'AIC_SPLITTER_ADDRESS'])(
    'error: ConfigError when the receiver is %s, in any case of letters',
    (name) => {
      for (const address of [RECEIVER, RECEIVER.toLowerCase()]) {
        const faults = faultsOf({ ...production, [name]: address })
        expect(faults).toContain('RECEIVER_ADDRESS must be a wallet: an AIC contract cannot send on what it receives')
      }
    },
  )

  it('error: more than four networks', () => {
    const five = 'eip155:1,eip155:8453,eip155:11155111,eip155:84532,eip155:31337'
    expect(faultsOf({ ...development, PAYMENT_NETWORKS: five })).toContain('PAYMENT_NETWORKS takes at most 4 networks')
  })

  it('behavior: the dev chain without a facilitator settles nothing, and only there', () => {
    expect(loadConfig(development).facilitator).toBeNull()
    expect(loadConfig({ ...development, X402_FACILITATOR_URL: 'http://127.0.0.1:9' }).facilitator).toEqual({
      url: 'http://127.0.0.1:9',
    })
    const open = { ...development, PUBLIC_ORIGIN: 'https://coinslot.test' }
    expect(faultsOf(open)[0]).toMatch(/^X402_FACILITATOR_URL /)
    const mixed = { ...development, PAYMENT_NETWORKS: 'eip155:31337,eip155:84532' }
    expect(faultsOf(mixed)[0]).toMatch(/^X402_FACILITATOR_URL /)
    expect(faultsOf({ ...development, ENABLE_DEV_CHAIN: 'false' })[0]).toMatch(/^ENABLE_DEV_CHAIN /)
  })

  it('behavior: free test money never buys real compute', () => {
    const real = { MODEL_PROVIDER_BASE_URL: 'https://api.replicate.com/v1' }
    expect(faultsOf({ ...development, ...real })[0]).toMatch(/^MODEL_PROVIDER_BASE_URL /)
    const preview = { ...production, ENVIRONMENT: 'preview', PAYMENT_NETWORKS: 'eip155:84532' }
    expect(loadConfig(preview).buyersRestricted).toBe(true)
    expect(loadConfig({ ...preview, MODEL_PROVIDER_BASE_URL: 'https://provider.test' }).buyersRestricted).toBe(false)
  })

  it('behavior: outside production the public facilitator is the default', () => {
    const preview = { ...production, ENVIRONMENT: 'preview', X402_FACILITATOR_URL: undefined }
    expect(loadConfig(preview).facilitator).toEqual({ url: 'https://x402.org/facilitator' })
  })

  it.each([
    ['https://acc.r2.cloudflarestorage.com/results', 'https://acc.r2.cloudflarestorage.com'],
    ['https://acc.r2.cloudflarestorage.com/results/', 'https://acc.r2.cloudflarestorage.com'],
    ['https://s3.test/storage/v1/s3', 'https://s3.test/storage/v1/s3'],
    ['https://s3.test/storage/results', 'https://s3.test/storage'],
    ['https://s3.test/my-results', 'https://s3.test/my-results'],
    ['https://results', 'https://results'],
  ])('behavior: the store at %s is reached at %s, the bucket taken off', (given, endpoint) => {
    expect(loadConfig({ ...production, OBJECT_STORE_ENDPOINT: given }).objectStore).toMatchObject({ endpoint })
  })

  it("behavior: a fork's USDC keeps the domain name of its chain", () => {
    const sepolia = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'
    const named = (address: string) => loadConfig({ ...development, DEV_USDC_ADDRESS: address }).networks[0].usdc.name
    expect(named(sepolia)).toBe('USDC')
    expect(named(development.DEV_USDC_ADDRESS)).toBe('USD Coin')
  })

  it('behavior: numbers from wrangler.toml and lists are read as meant', () => {
    const config = loadConfig({
      ...production,
      AIC_TOKEN_ADDRESS: AIC,
      AIC_USDC_RATE: '12.5',
      AIC_BURN_BPS: 2000,
      ADMIN_ADDRESSES: ` ${RECEIVER} , eip155:8453:${RECEIVER}`,
      MIN_CONFIRMATIONS: 0,
      PAYMENT_NETWORKS: 'eip155:8453, eip155:1, eip155:8453',
    })
    expect(config.aic).toMatchObject({ burnBps: 2000, usdcRate: '12.5', paymentTokenAddress: getAddress(AIC) })
    expect(config.admins).toEqual([
      { address: RECEIVER.toLowerCase(), chainId: null },
      { address: RECEIVER.toLowerCase(), chainId: 8453 },
    ])
    expect(config.minConfirmations).toBe(0)
    expect(config.networks.map(({ chainId }) => chainId)).toEqual([8453, 1])
  })
})

it('behavior: the example file is a configuration that loads', async () => {
  const text = await readFile(new URL('../../.dev.vars.example', import.meta.url), 'utf8')
  const lines = text.split('\n').map((line) => /^([A-Z0-9_]+)="(.*)"$/.exec(line))
  const example = Object.fromEntries(lines.flatMap((match) => (match ? [[match[1], match[2]]] : [])))
  expect(loadConfig(example).environment).toBe('development')
  expect(faultsOf({ ...example, ENVIRONMENT: 'production' }).some((fault) => fault.startsWith('SESSION_SECRET '))).toBe(
    true,
  )
})
