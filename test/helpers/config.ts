import type { Config, PaymentNetwork } from '../../worker/config/config.ts'

export const TEST_ORIGIN = 'https://coinslot.example'

export const TEST_RECEIVER = '0x000000000000000000000000000000000000dEaD'

export const TEST_SECRET = 'a test secret that is long enough, 48 characters'

export const BASE_SEPOLIA: PaymentNetwork = {
  chainId: 84532,
  network: 'eip155:84532',
  name: 'Base Sepolia',
  rpcUrl: 'http://127.0.0.1:8545',
  usdc: { address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', name: 'USDC', version: '2' },
  isTest: true,
}

export const SEPOLIA: PaymentNetwork = {
  chainId: 11155111,
  network: 'eip155:11155111',
  name: 'Sepolia',
  rpcUrl: 'http://127.0.0.1:8546',
  usdc: { address: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', name: 'USDC', version: '2' },
  isTest: true,
}

/** The four AIC contracts, for `makeTestConfig({ aic: TEST_AIC })`. */
export const TEST_AIC = {
  tokenAddress: '0x00000000000000000000000000000000000000A1',
  stakingAddress: '0x00000000000000000000000000000000000000A2',
  paymentTokenAddress: '0x00000000000000000000000000000000000000A3',
  splitterAddress: '0x00000000000000000000000000000000000000A4',
} as const

/** A sound configuration: one https origin, Base Sepolia, no AIC. */
export function makeTestConfig(overrides: Partial<Config> = {}): Config {
  return {
    environment: 'preview',
    publicOrigins: [TEST_ORIGIN],
    sessionSecret: TEST_SECRET,
    databaseUrl: 'postgres://test@127.0.0.1/test',
    networks: [BASE_SEPOLIA],
    receiverAddress: TEST_RECEIVER,
    facilitator: { url: 'https://facilitator.example' },
    minConfirmations: 1,
    provider: { baseUrl: 'https://provider.example/v1', token: 'provider-token', fileHosts: ['files.example'] },
    objectStore: {
      endpoint: 'https://store.example',
      bucket: 'results',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
      publicUrl: 'https://cdn.example',
    },
    ratePerSec: '0.001',
    aic: {},
    enforceTiers: false,
    admins: [],
    buyersRestricted: false,
    paymentSignIn: false,
    openaiRoutes: true,
    mcpRoutes: true,
    rateLimits: true,
    ...overrides,
  }
}
