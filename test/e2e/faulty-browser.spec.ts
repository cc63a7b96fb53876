import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  blockSiteData,
  expect,
  followLink,
  goToReview,
  openStudio,
  payButton,
  paymentDialog,
  promptBox,
  result,
  signButton,
  test,
} from './support/site.ts'
import { translatePage } from './support/translator.ts'

const PAGES = [
  '/',
  '/history',
  '/account',
  '/stats',
  '/models',
  '/docs',
  '/receipt',
  '/i/01234567-89ab-4cde-8f01-23456789abcd',
  '/problems',
]

/** Every page shows its heading, and the buttons that need site data say that it is blocked. */
async function expectSiteWithoutData(page: Page): Promise<void> {
  for (const path of PAGES) {
    await page.goto(path)
    await expect(page.locator('main h1')).toBeAttached()
    await expect(page.locator('.footer')).toBeVisible()
  }
  await page.goto('/account')
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await expect(paymentDialog(page)).toContainText('This browser blocks site data')
  await paymentDialog(page).getByRole('button', { name: 'Close' }).click()

  await openStudio(page)
  await page.getByRole('button', { name: /^Colours/ }).click()
  await promptBox(page).fill('a lighthouse')
  await payButton(page).click()
  await expect(paymentDialog(page)).toContainText('Allow cookies and site data')
  await paymentDialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(promptBox(page)).toHaveValue('a lighthouse')
}

test('error: with site data blocked, pages open and Pay says what is missing', { tag: '@long' }, async ({
  launchOptions,
  playwright,
  stackInfo,
}) => {
  const profile = await mkdtemp(join(tmpdir(), 'coinslot-profile-'))
  await mkdir(join(profile, 'Default'))
  const blocked = { profile: { default_content_setting_values: { cookies: 2 } } }
  await writeFile(join(profile, 'Default/Preferences'), JSON.stringify(blocked))
  const context = await playwright.chromium.launchPersistentContext(profile, {
    ...launchOptions,
    baseURL: stackInfo.origin,
    reducedMotion: 'reduce',
  })
  try {
    const page = await context.newPage()
    await page.goto('/problems')
    const isBlocked = await page.evaluate(() => {
      try {
        return window.localStorage === null
      } catch {
        return true
      }
    })
    expect(isBlocked, 'only whole Chromium has this setting').toBe(true)
    await expectSiteWithoutData(page)
  } finally {
    await context.close()
    await rm(profile, { recursive: true, force: true })
  }
})

test('error: storage, cookies and locks that throw: pages open, and Pay says what is missing', async ({ page }) => {
  await blockSiteData(page)
  await expectSiteWithoutData(page)
})

/** Fails the first requests of script files whose name matches; returns how often each was asked for. */
async function failScripts(page: Page, name: RegExp, times: number): Promise<Map<string, number>> {
  const asked = new Map<string, number>()
  await page.route('**/assets/*.js*', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (!name.test(pathname)) return route.continue()
    const count = (asked.get(pathname) ?? 0) + 1
    asked.set(pathname, count)
    if (count > times) return route.continue()
    // A deployment removes old files. The host then answers with its page for unknown addresses.
    await (count % 2 === 1 ? route.abort('connectionreset') : route.fulfill({ status: 404, body: '<p>Not found' }))
  })
  return asked
}

const FIRST_PAGE = /\/(index|site)-/
const LOADED_LATER = /\/assets\/(?!(index|site)-)/

test('error: every script loaded later fails once: all pages open and a purchase completes', async ({
  page,
  wallet,
}) => {
  test.setTimeout(120_000)
  const asked = await failScripts(page, LOADED_LATER, 1)
  await openStudio(page)
  await page.getByText('Settings', { exact: true }).click()
  await expect(page.getByLabel('Aspect ratio')).toBeVisible()
  await goToReview(page)
  await signButton(page).click()
  await expect(result(page)).toBeVisible()
  for (const [path, sign] of [
    ['/account', '.stake'],
    ['/stats', '.tally'],
    ['/models', '.entry'],
    ['/docs', '.code'],
    ['/receipt', 'h1:text("Check a receipt")'],
    ['/nowhere', 'h1:text("Page not found")'],
    ['/history', '.card'],
  ] as const) {
    await followLink(page, path)
    await expect(page.locator(`main ${sign}`).first()).toBeVisible()
  }
  await page.locator('.card').first().click()
  await expect(result(page)).toBeVisible()
  // The second request of the last ones may be on its way.
  await expect.poll(() => [...asked].filter(([, count]) => count < 2)).toEqual([])
  expect(wallet.signed).toHaveLength(1)
})

test('error: without the buying code Pay says to reload the page; it works once it is back', async ({
  page,
  wallet,
}) => {
  const asked = await failScripts(page, /make-purchase/, 8)
  await openStudio(page)
  await promptBox(page).fill('a lighthouse')
  await payButton(page).click()
  await expect(page.getByRole('alert')).toContainText('Load the page again')
  await expect(page.getByRole('alert')).toContainText('Nothing was signed')
  expect([...asked.values()][0]).toBeGreaterThanOrEqual(3)
  await page.unrouteAll()
  await payButton(page).click()
  await expect(page.getByRole('button', { name: 'Example Wallet' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(wallet.messages).toEqual([])
})

const PARTS: [part: string, file: RegExp, open: (page: Page) => Promise<void>, place: string][] = [
  ['a page', /\/stats-/, (page) => page.getByRole('link', { name: 'Stats' }).click(), 'main'],
  ['the settings', /settings-grid/, (page) => page.getByText('Settings', { exact: true }).click(), '.settings'],
  ['the payment dialog', /payment-dialog/, (page) => page.getByRole('button', { name: 'Connect' }).click(), 'body'],
  [
    'the sign-in',
    /\/sign-in-(?!needed)/,
    async (page) => {
      await page.getByRole('button', { name: 'Connect' }).click()
      await page.getByRole('button', { name: 'Example Wallet' }).click()
      await paymentDialog(page).getByRole('button', { name: 'Sign in' }).click()
    },
    '.payment-dialog',
  ],
]

for (const [part, file, open, place] of PARTS) {
  test(`error: ${part} cannot be loaded: it says to load the page again in its place`, async ({ page, wallet }) => {
    await failScripts(page, file, 1000)
    await openStudio(page)
    await open(page)
    await expect(page.locator(place)).toContainText('Load the page again')
    await expect(promptBox(page)).toHaveCount(part === 'a page' ? 0 : 1)
    expect(wallet.signed).toEqual([])
  })
}

test('error: the result’s code is gone after payment: a new load shows the paid result', async ({ page, wallet }) => {
  await failScripts(page, /result-panel-content/, 1000)
  await openStudio(page)
  await goToReview(page)
  await signButton(page).click()
  const panel = page.getByRole('region', { name: 'Result' })
  await expect(panel).toContainText('Load the page again')
  await expect(panel.getByRole('link', { name: 'Open the result' })).toBeVisible()
  await page.unrouteAll()
  await panel.getByRole('link', { name: 'Open the result' }).click()
  await expect(result(page).getByRole('img')).toBeVisible()
  expect(wallet.signed).toHaveLength(1)
})

test('error: the first script fails once: the page is loaded again by itself', async ({ page }) => {
  await failScripts(page, FIRST_PAGE, 1)
  await openStudio(page)
  await expect(payButton(page)).toBeEnabled()
})

test('error: the first script cannot be loaded: the page says so', async ({ page }) => {
  await failScripts(page, FIRST_PAGE, 1000)
  await page.goto('/stats')
  await expect(page.getByRole('main')).toContainText('This page could not be loaded.')
})

for (const way of ['replaces', 'wraps'] as const) {
  test(`error: a translator ${way} every text: choosing Text works, and price and result follow`, async ({
    page,
    wallet,
  }) => {
    await openStudio(page)
    const pay = page.locator('.composer .button-pay')
    await translatePage(page, way)
    await expect(page.locator('.hero h1')).toHaveText('«Pay a cent. Get a picture.»')
    const before = (await pay.textContent()) ?? ''

    await page.locator('.tab').nth(1).click()
    await expect(page.locator('.prompt label')).toContainText('Ask, or say what to write')
    await expect(page.getByRole('radio', { name: /FLUX/ })).toHaveCount(0)
    const cost = (await page.locator('.model:has(:checked) .model-price').textContent())?.replaceAll(/[«»]/g, '') ?? '–'
    await expect(pay).toContainText(cost)
    await expect(pay).not.toHaveText(before)
    for (const row of await page.locator('.model').all()) {
      await row.click()
      const price = ((await row.locator('.model-price').textContent()) ?? '–').replaceAll(/[«»]/g, '')
      await expect(pay).toHaveText(new RegExp(`^«?Pay ${price} and create»?$`))
    }

    // The last one may be off sale.
    await page.locator('.model').first().click()
    await promptBox(page).fill('Why is the sea blue?')
    await pay.click()
    await page.getByRole('button', { name: 'Example Wallet' }).click()
    await paymentDialog(page).getByRole('button', { name: 'Sign in' }).click()
    await paymentDialog(page).locator('.button-pay').click()
    await expect(result(page).locator('.text-output')).not.toBeEmpty()
    await page.locator('.nav a').nth(2).click()
    await expect(page.locator('.entry').first()).toBeVisible()
    expect(wallet.signed).toHaveLength(1)
  })
}

test('error: a browser below the build’s targets sees a plain sentence', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Promise, 'withResolvers')
    CSS.supports = () => false
  })
  for (const path of ['/', '/history']) {
    await page.goto(path)
    await expect(page.getByRole('main')).toContainText('This page needs a newer browser')
  }
})
