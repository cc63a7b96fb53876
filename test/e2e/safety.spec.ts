import type { Page } from '@playwright/test'
import { expectAccessibleInBoth } from './support/accessibility.ts'
import {
  expect,
  followLink,
  goToReview,
  onPaidCall,
  openStudio,
  outcome,
  payButton,
  paymentDialog,
  promptBox,
  result,
  signButton,
  stream,
  test,
} from './support/site.ts'

const HOSTILE = [
  '<img src=x onerror=window.pwn=1>',
  '[x](javascript:window.pwn=1)',
  '<svg/onload=window.pwn=1>',
  '</script><script>window.pwn=1</script>',
].join(' ')

const pwned = (page: Page) => page.evaluate(() => Reflect.get(window, 'pwn'))

/** Every link on the page leads to http or https, or stays within the site. */
async function expectSafeLinks(page: Page): Promise<void> {
  const protocols = await page
    .locator('a[href]')
    .evaluateAll((links: HTMLAnchorElement[]) => links.map(({ protocol }) => protocol))
  expect(protocols.filter((protocol) => protocol !== 'http:' && protocol !== 'https:')).toEqual([])
}

test('behavior: hostile text in prompt, output, model and error stays text', async ({ page, wallet }) => {
  await page.route('**/api/models', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    body.models[0].name = `FLUX schnell ${HOSTILE}`
    body.models[0].description = HOSTILE
    await route.fulfill({ response, json: body })
  })
  const answers = [
    { type: 'text', text: HOSTILE },
    { type: 'image', urls: ['javascript:window.pwn=1', 'data:text/html,<script>window.pwn=1</script>'] },
  ]
  await openStudio(page)
  await onPaidCall(page, (route, _call, index) =>
    index < answers.length
      ? route.fulfill(stream(['running', { logs: HOSTILE }], ['result', outcome(answers[index])]))
      : route.fulfill({
          status: 400,
          contentType: 'application/problem+json',
          body: JSON.stringify({ code: 'invalid_request', title: HOSTILE, detail: HOSTILE, nextAction: 'fix_request' }),
        }),
  )
  await goToReview(page, HOSTILE)
  await signButton(page).click()
  await expect(result(page).locator('.text-output')).toHaveText(HOSTILE)
  await expectSafeLinks(page)

  await payButton(page).click()
  await signButton(page).click()
  await expect(page.getByText('This site does not open the link of this result.').first()).toBeVisible()
  await expectSafeLinks(page)

  await payButton(page).click()
  await signButton(page).click()
  await expect(page.getByRole('alert')).toContainText('<svg/onload')
  await expectSafeLinks(page)
  expect(await pwned(page)).toBeUndefined()
  expect(wallet.signed).toHaveLength(3)
  // Prices are loaded again after each purchase. Wait for that answer before the page closes.
  await page.unrouteAll({ behavior: 'wait' })
})

test('behavior: hostile text in the history and on a result page stays text', async ({ page, wallet }) => {
  const record = {
    ...outcome({ type: 'text', text: HOSTILE }),
    task: 'text-to-text',
    model: HOSTILE,
    input: { prompt: HOSTILE },
    createdAt: HOSTILE,
  }
  await page.route('**/api/inferences?*', (route) => route.fulfill({ json: { items: [record], nextCursor: null } }))
  await page.route(`**/api/inference/${record.id}`, (route) => route.fulfill({ json: record }))
  await openStudio(page)
  await goToReview(page)
  await paymentDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.goto('/history')
  await expect(page.locator('.card-title')).toHaveText(HOSTILE)
  await page.locator('.card').click()
  await expect(result(page).locator('.text-output')).toHaveText(HOSTILE)
  await expectSafeLinks(page)
  expect(await pwned(page)).toBeUndefined()
  expect(wallet.messages).toHaveLength(1)
})

test('behavior: the content policy is strict and in force', async ({ page, watch }) => {
  const response = await page.goto('/')
  const policy = response?.headers()['content-security-policy'] ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval/)
  const blocked = await page.evaluate(async () => {
    const violation = new Promise<string>((resolve) =>
      document.addEventListener('securitypolicyviolation', (event) => resolve(event.violatedDirective), { once: true }),
    )
    const script = document.createElement('script')
    script.textContent = 'window.pwn = 1'
    document.body.append(script)
    return violation
  })
  expect(blocked).toContain('script-src')
  // The browser logs the violation too.
  await expect.poll(() => watch.errors.splice(0).join()).toContain('violates the following Content Security Policy')
  expect(await pwned(page)).toBeUndefined()
})

test('behavior: without any wallet the page works and says so', async ({ page }) => {
  await openStudio(page)
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(paymentDialog(page)).toContainText('Choose a wallet')
  await page.keyboard.press('Escape')
  await expect(paymentDialog(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Connect' })).toBeFocused()
})

test('behavior: no accessibility violation on any page, light or dark', async ({ page, wallet }) => {
  test.setTimeout(300_000)
  const check = (name: string): Promise<void> => expectAccessibleInBoth(page, name)
  await openStudio(page)
  await page.getByText('Settings', { exact: true }).click()
  await expect(page.getByLabel('Aspect ratio')).toBeVisible()
  await check('studio')
  await promptBox(page).fill('a lighthouse')
  await payButton(page).click()
  await expect(page.getByRole('button', { name: 'Example Wallet' })).toBeVisible()
  await check('wallets')
  await page.getByRole('button', { name: 'Example Wallet' }).click()
  await expect(paymentDialog(page).getByRole('button', { name: 'Sign in' })).toBeVisible()
  await check('sign-in')
  await paymentDialog(page).getByRole('button', { name: 'Sign in' }).click()
  await expect(signButton(page)).toBeEnabled()
  await check('review')
  await signButton(page).click()
  await expect(result(page)).toBeVisible()
  await check('result')
  await followLink(page, '/history')
  await page.locator('.card').first().click()
  await expect(page).toHaveURL(/\/i\//)
  await expect(result(page)).toBeVisible()
  await check('result page')
  for (const [path, sign] of [
    ['/history', '.card'],
    ['/account', '.ladder'],
    ['/stats', '.tally'],
    ['/models', '.entry'],
    ['/docs', '.code'],
    ['/receipt', 'h1:text("Check a receipt")'],
  ] as const) {
    await followLink(page, path)
    await expect(page.locator(`main ${sign}`).first()).toBeVisible()
    await check(path)
  }
  // Each of these is a separate document.
  for (const [path, sign] of [
    ['/problems', '.calls'],
    ['/problems/inference_failed', 'h1'],
    ['/nowhere', 'h1'],
  ] as const) {
    await page.goto(path)
    await expect(page.locator(sign).first()).toBeVisible()
    await check(path)
  }
  expect(wallet.signed).toHaveLength(1)
})

/** The controls of the form that the bar with the price covers while they have the focus. */
function coveredControls(): string[] {
  const bar = document.querySelector('.paybar')
  const covered = (control: HTMLElement): boolean => {
    control.focus()
    const [own, over] = [control.getBoundingClientRect(), bar?.getBoundingClientRect()]
    return over !== undefined && own.bottom > over.top && own.top < over.bottom
  }
  const controls = document.querySelectorAll<HTMLElement>('form :is(button, select, textarea, summary)')
  return [...controls].filter((one) => !bar?.contains(one) && covered(one)).map(({ outerHTML }) => outerHTML)
}

test('behavior: the whole purchase works by keyboard', async ({ page, wallet }) => {
  await openStudio(page)
  await page.setViewportSize({ width: 390, height: 600 })
  await page.getByText('Settings', { exact: true }).click()
  await expect(page.getByLabel('Aspect ratio')).toBeVisible()
  expect(await page.evaluate(coveredControls)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 900 })
  await promptBox(page).focus()
  await page.keyboard.type('a boat on a lagoon')
  await payButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /Demo wallet/ })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(paymentDialog(page).getByRole('button', { name: 'Sign in' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(signButton(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(result(page)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Result' })).toBeFocused()
  expect(wallet.signed).toHaveLength(1)
})

test('behavior: from 195 pixels up nothing scrolls sideways', async ({ page }) => {
  for (const path of ['/', '/models', '/stats', '/docs', '/problems']) {
    await page.setViewportSize({ width: 320, height: 800 })
    await page.goto(path)
    await expect(page.locator('main')).toBeVisible()
    await page.waitForLoadState('networkidle')
    for (const width of [195, 320, 390, 768, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect([path, width, overflow]).toEqual([path, width, 0])
    }
  }
})
