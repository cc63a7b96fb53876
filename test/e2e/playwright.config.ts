import { defineConfig } from '@playwright/test'

/** Stories in a real browser against the real local stack, which the setup starts once on free ports. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../test-results',
  globalSetup: './support/start-stack.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: [
        ...['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
        // One process for the pages of a test: starting a second one for its first address takes as long as a short test.
        ...['--process-per-site', '--renderer-process-limit=1'],
      ],
    },
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
  },
})
