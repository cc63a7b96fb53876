import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import SlowFirst from './test/helpers/slow-first.ts'

/** A whole configuration without any service behind it: the tests in workerd itself need none. */
const WORKER_VARIABLES = {
  ENVIRONMENT: 'development',
  ENABLE_DEV_CHAIN: 'true',
  PUBLIC_ORIGIN: 'http://127.0.0.1:8787',
  PAYMENT_NETWORKS: 'eip155:31337',
  DEV_RPC_URL: 'http://127.0.0.1:9/',
  DEV_USDC_ADDRESS: '0x1005Dc00000000000000000000000000000005dC',
  RECEIVER_ADDRESS: '0xc90cf362B62f185f47a1abD6Fa2951bE56bD9FDe',
  SESSION_SECRET: '0123456789abcdef0123456789abcdef',
  DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
  DATABASE_HTTP_URL: 'http://127.0.0.1:9/sql',
  MODEL_PROVIDER_BASE_URL: 'http://127.0.0.1:9/v1',
  MODEL_PROVIDER_API_TOKEN: 'token',
  OBJECT_STORE_ACCOUNT_ID: 'local',
  OBJECT_STORE_ENDPOINT: 'http://127.0.0.1:9',
  OBJECT_STORE_ACCESS_KEY_ID: 'id',
  OBJECT_STORE_SECRET_ACCESS_KEY: 'secret',
  OBJECT_STORE_BUCKET_NAME: 'bucket',
  OBJECT_STORE_PUBLIC_URL: 'http://127.0.0.1:9/bucket',
}

/** On a busy machine a condition may take longer than the default of one second. */
const EXPECT = { poll: { timeout: 30_000 } }
const PREPARE = ['test/helpers/prepare.ts']

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup: PREPARE,
          setupFiles: ['test/helpers/undo-stubs.ts'],
          include: [
            'worker/**/*.test.ts',
            'db/**/*.test.ts',
            'protocol/**/*.test.ts',
            'bench/**/*.test.ts',
            'client/**/*.test.ts',
            'dev/**/*.test.ts',
            'facilitator/**/*.test.ts',
            'ops/**/*.test.ts',
            '.ci/verify/*.test.ts',
            'test/{repo,simulation,fuzz}/**/*.test.ts',
            'contracts/**/*.test.ts',
            'web/{site,shared,dashboard,landing}/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/*.worker.test.ts'],
          expect: EXPECT,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Test files share no module state, and loading every module again for each file would take longer than the tests.
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: { bindings: WORKER_VARIABLES },
          }),
        ],
        test: { name: 'worker', include: ['{worker,client}/**/*.worker.test.ts'], testTimeout: 60_000 },
      },
      {
        test: {
          name: 'stack',
          globalSetup: PREPARE,
          include: ['test/stack/**/*.test.ts'],
          expect: EXPECT,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Each file has its own stack on its own ports, and mostly waits for blocks and deadlines: side by side they wait once.
          maxConcurrency: 12,
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'long',
          globalSetup: PREPARE,
          include: ['test/long/**/*.test.ts'],
          expect: EXPECT,
          testTimeout: 300_000,
          hookTimeout: 120_000,
          maxConcurrency: 12,
          fileParallelism: false,
        },
      },
    ],
  },
})
