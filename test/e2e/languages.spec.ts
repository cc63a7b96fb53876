import type { Page } from '@playwright/test'
import { LANGUAGES, type Language } from '../../web/shared/languages.ts'
import { messages as ar } from '../../web/site/src/messages/ar.ts'
import { purchaseMessages as arPurchase } from '../../web/site/src/messages/ar-purchase.ts'
import { messages as de } from '../../web/site/src/messages/de.ts'
import { purchaseMessages as dePurchase } from '../../web/site/src/messages/de-purchase.ts'
import { messages as es } from '../../web/site/src/messages/es.ts'
import { pageMessages as esPages } from '../../web/site/src/messages/es-pages.ts'
import { purchaseMessages as esPurchase } from '../../web/site/src/messages/es-purchase.ts'
import { expectAccessibleWords } from './support/accessibility.ts'
import { expect, overflowZoomed, promptBox, result, test } from './support/site.ts'
import { translatePage } from './support/translator.ts'

const PHONE = { width: 390, height: 844 }

const pay = (page: Page) => page.locator('.composer .button-pay')
const sheet = (page: Page) => page.getByRole('dialog')
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

async function openStudio(page: Page, folder: string): Promise<void> {
  await page.goto(`/${folder}/`)
  await expect(page.getByRole('radio', { name: /^FLUX schnell/ })).toBeAttached()
}

for (const [folder, dir, words, purchase] of [
  ['es', 'ltr', es, esPurchase],
  ['ar', 'rtl', ar, arPurchase],
] as const) {
  test(`default: a first purchase on a phone in the language ${folder}`, async ({ page, wallet }) => {
    await page.setViewportSize(PHONE)
    await openStudio(page, folder)
    await expect(page.locator('html')).toHaveAttribute('dir', dir)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.studio.headline)
    await promptBox(page).fill('a lighthouse on a cliff')
    await pay(page).click()
    await expect(page.getByRole('button', { name: 'Example Wallet' })).toBeVisible()
    expect(await overflowZoomed(page)).toBeLessThanOrEqual(0)
    await page.getByRole('button', { name: 'Example Wallet' }).click()
    const signIn = sheet(page).getByRole('button', { name: purchase.signIn.button })
    await expect(signIn).toBeVisible()
    expect(await overflowZoomed(page)).toBeLessThanOrEqual(0)
    await signIn.click()
    const sign = sheet(page).locator('.button-pay')
    await expect(sign).toBeEnabled()
    await expect(sheet(page)).toContainText(purchase.payment.terms)
    expect(await overflow(page)).toBe(0)
    expect(await overflowZoomed(page)).toBeLessThanOrEqual(0)
    await sign.click()
    await expect(result(page).getByRole('img')).toBeVisible()
    await result(page).getByRole('link', { name: purchase.result.open, exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`/${folder}/i/[0-9a-f-]{36}$`))
    await expect(result(page)).toContainText(purchase.result.charged)
    expect(await overflow(page)).toBe(0)
    expect(await overflowZoomed(page)).toBe(0)
    expect(wallet.signed).toHaveLength(1)
  })
}

test('default: a purchase by keyboard in German', async ({ page, wallet }) => {
  await openStudio(page, 'de')
  await promptBox(page).focus()
  await page.keyboard.type('a boat on a lagoon')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('button', { name: de.shared.demoWallet })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(sheet(page).getByRole('button', { name: dePurchase.signIn.button })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(sheet(page)).toContainText(dePurchase.payment.terms)
  await expect(sheet(page).locator('.button-pay')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(result(page)).toBeVisible()
  await expect(page.getByRole('region', { name: de.studio.result })).toBeFocused()
  expect(wallet.signed).toHaveLength(1)
})

test('behavior: a purchase in Spanish continues under a browser’s translator', async ({ page, wallet }) => {
  await openStudio(page, 'es')
  await translatePage(page, 'replaces')
  // Translators change the language of the document.
  await page.evaluate(() => document.documentElement.setAttribute('lang', 'it'))
  await expect(page.locator('.hero h1')).toHaveText(`«${es.studio.headline}»`)
  await promptBox(page).fill('a red bicycle')
  await pay(page).click()
  await page.getByRole('button', { name: 'Example Wallet' }).click()
  await sheet(page).getByRole('button', { name: esPurchase.signIn.button }).click()
  await sheet(page).locator('.button-pay').click()
  await expect(result(page).getByRole('img')).toBeVisible()
  await expect(result(page)).toContainText(esPurchase.result.charged)
  expect(wallet.signed).toHaveLength(1)
})

test('behavior: the start page opens in the browser’s language, or in the one chosen before', async ({
  browser,
  stackInfo,
}) => {
  const context = await browser.newContext({ baseURL: stackInfo.origin, locale: 'pt-PT' })
  const page = await context.newPage()
  await page.goto('/?model=black-forest-labs%2Fflux-schnell&prompt=um+farol')
  await expect(page).toHaveURL('/pt-br/')
  await expect(promptBox(page)).toHaveValue('um farol')
  await expect(page.locator('html')).toHaveAttribute('lang', 'pt-BR')
  await page.goto('/history')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')

  await page.locator('[popovertarget="language-menu"]').click()
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await expect(page).toHaveURL('/de/history')
  await page.goto('/')
  await expect(page).toHaveURL('/de/')
  await expect(promptBox(page)).toHaveValue('um farol')
  await context.close()
})

test('error: without site data every language opens and can be left for English', async ({ browser, stackInfo }) => {
  const context = await browser.newContext({ baseURL: stackInfo.origin, locale: 'es-MX' })
  await context.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('blocked', 'SecurityError')
        },
      })
    }
  })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page).toHaveURL('/es/')
  await promptBox(page).fill('un faro')
  await pay(page).click()
  await expect(sheet(page)).toContainText(esPages.withoutSiteData.title)
  await page.keyboard.press('Escape')
  await page.locator('[popovertarget="language-menu"]').click()
  await page.getByRole('link', { name: 'English' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pay a cent. Get a picture.')
  await expect(page).toHaveURL('/')
  await context.close()
})

/** No page is wider than a narrow phone, also zoomed to 200 %, and axe finds nothing on those that it checks. */
async function walk(page: Page, { tag, folder }: Language, paths: readonly string[], forAxe: readonly string[]) {
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of paths) {
    await page.goto(`/${folder}/${path}`)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', tag)
    if (path === '') await expect(page.locator('.model-price').first()).toBeVisible()
    expect([path, await overflow(page), await overflowZoomed(page)]).toEqual([path, 0, 0])
    if (!forAxe.includes(path)) continue
    await expectAccessibleWords(page, path)
  }
}

for (const language of LANGUAGES.slice(1)) {
  test(`behavior: in ${language.tag} pages fit 320 pixels and axe finds nothing`, async ({ page }) => {
    await walk(page, language, ['', 'history', 'account'], [''])
    await expect(page.locator('link[rel="alternate"]')).toHaveCount(LANGUAGES.length + 1)
  })

  test(`behavior: in ${language.tag} every page fits, and axe finds nothing`, { tag: '@long' }, async ({ page }) => {
    const rest = ['models', 'stats', 'receipt', 'docs', 'refunds', 'nowhere', 'history']
    await walk(page, language, rest, ['docs', 'history', 'refunds'])
  })
}
