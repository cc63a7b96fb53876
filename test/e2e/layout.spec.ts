import type { Page } from '@playwright/test'
import {
  expect,
  goToReview,
  onPaidCall,
  openStudio,
  outcome,
  overflowZoomed,
  payButton,
  paymentDialog,
  promptBox,
  shiftOf,
  signButton,
  signIn,
  stream,
  test,
  watchShift,
} from './support/site.ts'

const HASH = `0x${'ab'.repeat(32)}`
const FAILED = {
  code: 'inference_failed',
  detail: 'facilitator: some_new_code',
  title: 'The model run failed after payment',
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('behavior: balance and buttons of the sheet fit a small phone; the rest is folded', async ({ page, wallet }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await openStudio(page)
  await goToReview(page, 'a very long prompt that goes on and on '.repeat(10))
  await expect(page.getByText(/^Your balance: /)).toBeInViewport({ ratio: 1 })
  const starts = await paymentDialog(page)
    .locator('h2, .quote-for, legend, .quote-balance')
    .evaluateAll((parts) =>
      parts.map((part) => {
        const text = document.createRange()
        text.selectNodeContents(part)
        return text.getBoundingClientRect().left
      }),
    )
  expect(starts).toEqual(Array(4).fill(starts[0]))
  for (const height of [640, 480]) {
    await page.setViewportSize({ width: 360, height })
    await expect(signButton(page)).toBeInViewport({ ratio: 1 })
    await expect(page.getByText('You pay before the model runs.', { exact: false })).toBeInViewport({ ratio: 1 })
  }
  await expect(paymentDialog(page).getByText('None. You sign, the service submits.')).toBeHidden()
  await paymentDialog(page).getByText('Details: Local chain, no gas').click()
  await expect(paymentDialog(page).getByText('None. You sign, the service submits.')).toBeVisible()
  expect(await overflowZoomed(page)).toBeLessThanOrEqual(0)
  expect(wallet.signed).toEqual([])
})

test('behavior: a failed purchase and its record fit a phone, in one box of plain words', async ({ page, wallet }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const record = {
    ...outcome(null, 'failed'),
    task: 'text-to-image',
    model: 'black-forest-labs/flux-schnell',
    input: { prompt: 'a heron' },
    createdAt: '2026-11-28T10:00:00Z',
    error: { code: 'inference_failed', detail: 'facilitator: some_new_code' },
    paymentState: 'settled',
  }
  await page.route(`**/api/inference/${record.id}`, (route) => route.fulfill({ json: record }))
  await openStudio(page)
  await onPaidCall(page, (route) =>
    route.fulfill(
      stream(
        ['settled', { transaction: HASH, network: 'eip155:8453' }],
        ['error', { status: 502, ...FAILED, id: record.id, nextAction: 'give_up', paymentState: 'settled' }],
      ),
    ),
  )
  await goToReview(page)
  await signButton(page).click()
  for (const path of [null, `/i/${record.id}`]) {
    if (path !== null) await page.goto(path)
    const problem = page.locator('.problem')
    await expect(problem).toContainText('The payment service refused the payment.')
    await expect(problem).not.toContainText('some_new_code')
    await expect(problem).toContainText(/You were charged [\d.]+\sUSDC\. Transaction: 0xabab…abab/)
    await expect(problem).toContainText(`Reference ${record.id}`)
    await expect(problem.getByText('Try again (new payment)')).toBeVisible()
    await expect(page.locator('.problem, .notice')).toHaveCount(1)
    expect(await overflow(page)).toBe(0)
    expect(await overflowZoomed(page)).toBeLessThanOrEqual(0)
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('a heron')
  await expect(page).toHaveTitle('a heron · Coinslot')
  expect(wallet.signed).toHaveLength(1)
})

test('behavior: a receipt and the table of stats fit a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.route('**/api/stats', async (route) => {
    const response = await route.fetch()
    const row = {
      id: 'black-forest-labs/flux-schnell',
      runs: 12_345,
      successRate: 0.98,
      p50Seconds: 1.2,
      p95Seconds: 3.4,
    }
    await route.fulfill({ response, json: { ...(await response.json()), models: [row] } })
  })
  await page.goto('/stats')
  await expect(page.locator('.table-rows td').first()).toBeVisible()
  const frame = page.locator('.table-frame')
  expect(await frame.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await page.goto('/receipt')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate((hash) => {
    const line = document.createElement('p')
    line.className = 'figures hash'
    line.textContent = hash
    document.querySelector('.page')?.append(line)
  }, HASH)
  expect(await overflow(page)).toBe(0)
  expect(await overflowZoomed(page)).toBe(0)
})

test('behavior: on a slow network no typeface is loaded, and the docs do not jump', async ({ page }) => {
  const fonts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url())
  })
  for (const part of ['**/assets/docs-*.js', '**/api/openapi.json']) {
    await page.route(part, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      await route.continue()
    })
  }
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { effectiveType: '3g' } })
  })
  await watchShift(page)
  await page.goto('/docs')
  await expect(page.locator('.calls li').first()).toBeAttached()
  expect(await shiftOf(page)).toBeLessThan(0.02)
  expect(fonts).toEqual([])
})

const LATE_MS = 100

/** Serves one result, its share and a history with it. `open` opens a page, and `load` ends the load of its picture. */
async function serveRecord(page: Page, origin: string) {
  const url = `${origin}/late.webp`
  const output = { type: 'image', urls: [url] }
  const record = {
    ...outcome(output),
    task: 'text-to-image',
    model: 'black-forest-labs/flux-schnell',
    input: { prompt: 'a heron', aspect_ratio: '16:9' },
    prompt: 'a heron',
    createdAt: '2026-11-28T10:00:00Z',
  }
  const shared = { model: record.model, prompt: 'a heron', output, aspectRatio: '16:9', day: '2026-11-28' }
  let loading = Promise.withResolvers<boolean>()
  await page.route(`**/api/inference/${record.id}`, (route) => route.fulfill({ json: record }))
  await page.route('**/api/inferences?*', (route) => route.fulfill({ json: { items: [record], nextCursor: null } }))
  await page.route('**/api/shares/*', (route) => route.fulfill({ json: shared }))
  await page.route(url, async (route) => {
    await ((await loading.promise) ? route.fulfill({ path: 'web/site/public/gallery/lake.webp' }) : route.abort())
  })
  const open = async (path: string): Promise<void> => {
    loading = Promise.withResolvers()
    await page.goto(path)
  }
  return { id: record.id, url, open, load: (isServed: boolean) => loading.resolve(isServed) }
}

test('behavior: no page jumps while its parts arrive late', async ({ page, stackInfo, wallet }) => {
  await openStudio(page)
  await signIn(page)
  for (const part of ['**/assets/*.js', '**/api/**']) {
    await page.route(part, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, LATE_MS))
      await route.fallback()
    })
  }
  const { id, open, load } = await serveRecord(page, stackInfo.origin)
  await watchShift(page)
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    for (const [path, part, picture] of [
      ['/', '.button-pay', '.made img'],
      ['/models', '.entry', '.made img'],
      ['/history', '.card-title', '.card-face img'],
      [`/i/${id}`, '.share button', '.picture-loaded'],
      ['/s/0', '.result-prompt', '.picture-loaded'],
    ] as const) {
      await open(path)
      await expect(page.locator(part).first()).toBeVisible()
      await expect(page.locator('.footer')).toBeAttached()
      load(true)
      await expect(page.locator(picture).first()).toBeAttached()
      await page.waitForLoadState('networkidle')
      expect(await shiftOf(page), `${path} at ${width} pixels`).toBeLessThan(0.05)
    }
  }
  expect(wallet.signed).toEqual([])
})

test('behavior: a picture has its place before it is loaded, and can be loaded again', async ({ page, stackInfo }) => {
  const { url, open, load } = await serveRecord(page, stackInfo.origin)
  await open('/s/0')
  const place = page.locator('.picture-place')
  await expect(place).toHaveClass(/skeleton/)
  const before = await place.boundingBox()
  expect((before?.width ?? 0) / (before?.height ?? 1)).toBeCloseTo(16 / 9, 2)
  load(false)
  await expect(place).toContainText('The picture could not be loaded.')
  await expect(place.getByRole('link', { name: url })).toHaveAttribute('href', url)
  expect(await place.boundingBox()).toEqual(before)
  await page.route(url, (route) => route.fulfill({ path: 'web/site/public/gallery/lake.webp' }))
  await place.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('img', { name: 'Picture made from: a heron' })).toHaveClass('picture-loaded')
  expect(await place.boundingBox()).toEqual(before)
})

test('behavior: forced colours keep the marks of the chosen model, the tab and the page', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openStudio(page)
  await expect(page.locator('.model:has(:checked)')).toHaveCSS('outline-width', '3px')
  await expect(page.locator('.tab :checked + span')).toHaveCSS('border-bottom-width', '3px')
  await expect(page.locator('.nav [aria-current]')).toHaveCSS('border-bottom-width', '3px')
})

test('default: without JavaScript, headline, starting prices and API steps are shown', async ({
  browser,
  stackInfo,
}) => {
  const context = await browser.newContext({ baseURL: stackInfo.origin, javaScriptEnabled: false })
  const page = await context.newPage()
  for (const path of ['/', '/docs']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pay a cent. Get a picture.')
    await expect(page.locator('.start-prices')).toContainText('FLUX schnell')
    await expect(page.locator('.flow li')).toHaveCount(4)
    await expect(page.getByRole('link', { name: 'OpenAPI 3.1 document' })).toBeVisible()
  }
  await context.close()
})

test('default: status, refunds, terms, privacy and contact are in the footer of every page', async ({ page }) => {
  await page.goto('/problems')
  await expect(page.getByRole('link', { name: 'Account' })).toBeVisible()
  await openStudio(page)
  for (const name of ['Status', 'Refunds', 'Terms', 'Privacy', 'Contact']) {
    await page.locator('.footer').getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await expect(page.locator('.masthead .nav')).toBeVisible()
  }
})

test('error: B13 with forced colours the sheet has an edge', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openStudio(page)
  await promptBox(page).fill('a heron')
  await payButton(page).click()
  await expect(paymentDialog(page).locator('.payment-dialog-paper')).toHaveCSS('border-top-style', 'solid')
})
