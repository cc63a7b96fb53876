import type { Page } from '@playwright/test'
import { expect, openStudio, payButton, promptBox, result, signButton, signIn, test } from './support/site.ts'

/** Counts a person's clicks. */
function clicker(page: Page) {
  let clicks = 0
  return {
    click: async (name: RegExp | string, role: 'button' | 'radio' = 'button') => {
      clicks += 1
      await page.getByRole(role, { name }).click()
    },
    count: () => clicks,
  }
}

test('default: a newcomer has a paid picture four clicks after the first load', async ({ page }) => {
  const person = clicker(page)
  await openStudio(page)
  await person.click(/red bicycle/)
  await person.click(/^Pay/)
  await person.click(/Demo wallet/)
  await person.click(/^Sign and pay/)
  const picture = result(page).getByRole('img', { name: /red bicycle/ })
  await expect(picture).toBeVisible()
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThanOrEqual(512)
  expect(person.count()).toBeLessThanOrEqual(4)
})

for (const [task, prompt, wanted] of [
  ['Text', 'Explain why the sea looks blue, in two sentences.', '.text-output'],
  ['Sound', 'Good morning. The ferry leaves in ten minutes.', 'audio'],
] as const) {
  test(`default: ${task.toLowerCase()} with the demo wallet in four clicks`, async ({ page }) => {
    await openStudio(page)
    await page.getByText(task, { exact: true }).click()
    await promptBox(page).fill(prompt)
    await payButton(page).click()
    await page.getByRole('button', { name: /Demo wallet/ }).click()
    await signButton(page).click()
    await expect(result(page).locator(wanted)).toBeVisible()
    if (wanted === 'audio') {
      const seconds = () => page.locator('audio').evaluate((player: HTMLAudioElement) => player.duration)
      await expect.poll(seconds).toBeGreaterThan(1)
    } else {
      expect(((await page.locator('.text-output').textContent()) ?? '').split(/\s+/).length).toBeGreaterThan(10)
    }
  })
}

test('default: an installed wallet pays in 4 clicks, again in 2, and finds it in the history', async ({
  page,
  wallet,
  stackInfo,
}) => {
  const person = clicker(page)
  const confirmations = () =>
    ['eth_requestAccounts', 'personal_sign', 'eth_signTypedData_v4'].map((method) => wallet.count(method))
  await openStudio(page)
  await promptBox(page).fill('a lighthouse on a cliff')
  await person.click(/^Pay/)
  await person.click('Example Wallet')
  await person.click('Sign in')
  await person.click(/^Sign and pay/)
  const picture = result(page).getByRole('img').first()
  await expect(picture).toBeVisible()
  expect([person.count(), confirmations()]).toEqual([4, [1, 1, 1]])
  // Once more: two clicks and one signature.
  const before = await result(page).getByRole('link', { name: 'Details' }).getAttribute('href')
  await person.click('New seed')
  await person.click(/^Sign and pay/)
  await expect(result(page).getByRole('link', { name: 'Details' })).not.toHaveAttribute('href', before ?? '')
  expect([person.count(), confirmations()]).toEqual([6, [1, 1, 2]])
  expect(wallet.signed[0]?.domain).toMatchObject({ chainId: stackInfo.chainId, verifyingContract: stackInfo.usdc })

  const path = (await result(page).getByRole('link', { name: 'Details' }).getAttribute('href')) ?? ''
  expect(path).toMatch(/^\/i\/[0-9a-f-]{36}$/)
  await page.getByRole('navigation').getByRole('link', { name: 'History' }).click()
  // Found by its address: the demo wallet may have the same key and buy in another test meanwhile.
  await page.locator(`.card[href="${path}"]`).click()
  await expect(page).toHaveURL(new RegExp(`${path}$`))
  await expect(result(page)).toContainText('a lighthouse on a cliff')

  await result(page).getByRole('link', { name: 'Edit and reuse' }).click()
  await expect(promptBox(page)).toHaveValue('a lighthouse on a cliff')
})

test('behavior: every other page opens and shows its numbers', async ({ page, wallet }) => {
  await openStudio(page)
  await signIn(page)
  await page.goto('/account')
  await expect(page.getByText(wallet.account.address, { exact: false }).first()).toBeVisible()
  await expect(page.getByRole('row', { name: /1,000 AIC 10%/ })).toBeVisible()
  await page.goto('/models')
  await expect(page.getByRole('heading', { name: 'FLUX schnell' })).toBeVisible()
  await page.goto('/stats')
  await expect(page.getByText('USDC settled')).toBeVisible()
  await page.goto('/docs')
  await expect(page.getByText('wrapFetchWithPayment').first()).toBeVisible()
  await page.goto('/problems/settlement_unknown')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The payment may have settled')
  expect((await page.goto('/no-such-page'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
})

test('behavior: the first page does not use Intl, which blocks a phone for 100 ms', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['NumberFormat', 'DateTimeFormat'] as const) {
      const watched = new Proxy(Intl[name], {
        construct: (target, args) => {
          Reflect.set(window, 'askedIntl', name)
          return Reflect.construct(target, args)
        },
      })
      Object.defineProperty(Intl, name, { value: watched })
    }
  })
  await openStudio(page)
  await expect(payButton(page)).toBeEnabled()
  expect(await page.evaluate(() => Reflect.get(window, 'askedIntl'))).toBeUndefined()
})

test('behavior: prerendered parts do not move when the script starts', async ({ page }) => {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const script = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await script.promise
      await route.continue()
    })
    const places = () =>
      page
        .locator('.brand, .nav a, .hero h1, .hero p')
        .evaluateAll((parts) => parts.map((part) => [part.textContent, part.getBoundingClientRect().toJSON()]))
    await page.goto('/', { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    const before = await places()
    script.resolve()
    await expect(payButton(page)).toBeEnabled()
    expect(await places()).toEqual(before)
    await page.unrouteAll()
  }
})
