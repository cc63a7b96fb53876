import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup: ['test/helpers/database-template.ts'],
          include: [
            'worker/**/*.test.ts',
            'db/**/*.test.ts',
            'dev/**/*.test.ts',
            'facilitator/**/*.test.ts',
            'test/*.test.ts',
            'contracts/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/*.worker.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'stack',
          include: ['test/stack/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
