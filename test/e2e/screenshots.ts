import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { startStack } from '../../dev/stack/stack.ts'

// `npm run screenshots`: each page, light and dark, phone and desktop, from the real local stack into docs/screenshots.

const OUT = join(import.meta.dirname, '../../docs/screenshots')
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const

const WORKS: [task: string, prompt: string][] = [
  ['Picture', 'a lighthouse on a cliff at sunset, long shadows'],
  ['Text', 'Explain in two sentences why the sea looks blue.'],
  ['Picture', 'a quiet mountain lake under a sky full of stars'],
  ['Sound', 'Good morning. The ferry to the island leaves in ten minutes.'],
  ['Picture', 'a small wooden boat on a turquoise lagoon, seen from above'],
  ['Picture', 'a red bicycle leaning on a stone wall by the sea, morning light'],
]

const stack = await startStack({ limits: false, firstPort: 20_787 })
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  await mkdir(OUT, { recursive: true })
  const state = await fillHistory(browser)
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await open(browser, { viewport, colorScheme, storageState: state })
      await shootAll(context, `${size}-${colorScheme}`)
      await context.close()
    }
  }
} finally {
  await browser.close()
  await stack.stop()
}

type Options = NonNullable<Parameters<Browser['newContext']>[0]>

function open(from: Browser, options: Options): Promise<BrowserContext> {
  return from.newContext({ baseURL: stack.info.origin, reducedMotion: 'reduce', ...options })
}

/** Buys with the demo wallet, so that every page has content. Returns the signed-in state. */
async function fillHistory(from: Browser): Promise<NonNullable<Options['storageState']>> {
  const context = await open(from, { viewport: SIZES.desktop })
  const page = await context.newPage()
  await page.goto('/')
  for (const [task, prompt] of WORKS) {
    await page.getByText(task, { exact: true }).click()
    await buy(page, prompt)
  }
  const state = await context.storageState()
  await context.close()
  return state
}

async function toReview(page: Page, prompt: string): Promise<void> {
  await page.getByRole('textbox').first().fill(prompt)
  await page.getByRole('button', { name: /^Pay .* and create$/ }).click()
  const demo = page.getByRole('button', { name: /Demo wallet/ })
  const sign = page.getByRole('button', { name: /^Sign and pay/ })
  await demo.or(sign).first().waitFor()
  if (await demo.isVisible()) await demo.click()
  await sign.and(page.locator(':enabled')).waitFor()
  await page.locator('.quote-balance').waitFor()
}

async function buy(page: Page, prompt: string): Promise<void> {
  await toReview(page, prompt)
  await page.getByRole('button', { name: /^Sign and pay/ }).click()
  await page.getByRole('article').filter({ hasText: prompt }).waitFor({ timeout: 60_000 })
  await page.waitForLoadState('networkidle')
}

async function shootAll(context: BrowserContext, name: string): Promise<void> {
  const page = await context.newPage()
  const shoot = async (what: string, fullPage = false): Promise<void> => {
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    await page.waitForLoadState('networkidle')
    if (!name.startsWith('phone')) await page.evaluate(() => scrollTo(0, 0))
    await page.screenshot({ path: join(OUT, `${what}-${name}.png`), fullPage })
  }
  await page.goto('/')
  await page.locator('.model').first().waitFor()
  await shoot('studio')
  const [, prompt = ''] = WORKS.at(-1) ?? []
  await toReview(page, prompt)
  await shoot('payment-dialog')
  await page.getByRole('button', { name: /^Sign and pay/ }).click()
  await page.locator('.progress').waitFor()
  await page.screenshot({ path: join(OUT, `progress-${name}.png`) })
  await page.getByRole('article').waitFor({ timeout: 60_000 })
  await page.locator('.picture-loaded').waitFor()
  await shoot('result')
  for (const [path, sign] of [
    ['history', '.card img'],
    ['account', '.stake'],
    ['models', '.entry'],
    ['stats', '.tally'],
    ['docs', '.code'],
  ] as const) {
    await page.goto(`/${path}`)
    await page.locator(sign).first().waitFor()
    await shoot(path)
  }
}
