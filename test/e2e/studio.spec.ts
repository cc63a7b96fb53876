import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import {
  expect,
  goToReview,
  onPaidCall,
  openStudio,
  outcome,
  payButton,
  paymentDialog,
  promptBox,
  result,
  signButton,
  signIn,
  stream,
  test,
} from './support/site.ts'

test('behavior: prompt, model and settings stay through other pages and a reload', async ({ page }) => {
  await openStudio(page)
  await promptBox(page).fill('a heron in the reeds')
  await page.locator('.model', { hasText: 'FLUX dev' }).click()
  await page.getByLabel('Aspect ratio').selectOption('3:2')
  const expectKept = async (): Promise<void> => {
    await expect(promptBox(page)).toHaveValue('a heron in the reeds')
    await expect(page.getByRole('radio', { name: /FLUX dev/ })).toBeChecked()
    await expect(page.getByLabel('Aspect ratio')).toHaveValue('3:2')
  }
  await page.reload()
  await expectKept()
  await page.getByRole('link', { name: 'Models', exact: true }).click()
  await page.getByRole('link', { name: 'Studio', exact: true }).click()
  await expectKept()
  await page.getByRole('link', { name: 'Models', exact: true }).click()
  await page.getByRole('link', { name: 'Use FLUX schnell' }).click()
  await expect(promptBox(page)).toHaveValue('a heron in the reeds')
  await expect(page.getByRole('radio', { name: /FLUX schnell/ })).toBeChecked()
})

test('behavior: the price of several pictures is said, and Ctrl+Enter presses Pay', async ({ page }) => {
  await openStudio(page)
  await page.getByLabel('Pictures', { exact: true }).selectOption('4')
  await expect(page.locator('.paybar-sum')).toContainText('one price for all 4 pictures')
  await promptBox(page).fill('four herons')
  await promptBox(page).press('Control+Enter')
  await expect(paymentDialog(page)).toContainText('Choose a wallet')
  await expect(page.getByRole('list', { name: 'Steps' })).toContainText('Sign in (free, once a week)')
})

test('behavior: a locked or unavailable model has no Pay, but a reason and a way on', async ({ page }) => {
  await page.route('**/api/models', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    Object.assign(body.models[1], { locked: true, tier: 'premium' })
    Object.assign(body.models[2], { available: false })
    await route.fulfill({ response, json: body })
  })
  await openStudio(page)
  for (const [index, reason] of [
    [1, 'Premium model. For 5,000 staked AIC.'],
    [2, 'This model is not available now.'],
  ] as const) {
    await page.locator('.model').nth(index).click()
    await expect(payButton(page)).toBeDisabled()
    await expect(page.getByText(reason)).toBeVisible()
    await page.getByRole('button', { name: 'Use FLUX schnell' }).click()
    await expect(payButton(page)).toBeEnabled()
  }
  // Nor is there one for a text above its limit. It stays whole.
  const text = 'x'.repeat(10_412)
  await promptBox(page).focus()
  await page.keyboard.insertText(text)
  await expect(promptBox(page)).toHaveValue(text)
  await expect(promptBox(page)).toHaveAttribute('aria-invalid', 'true')
  const why = 'The text is too long: at most 10,000 characters.'
  await expect(promptBox(page)).toHaveAccessibleDescription(`10,412 / 10,000 ${why}`)
  await expect(payButton(page)).toBeDisabled()
  await expect(page.locator('.paybar')).toContainText(why)
  await promptBox(page).press('Control+Enter')
  await promptBox(page).fill(text.slice(412))
  await expect(payButton(page)).toBeEnabled()
  await expect(promptBox(page)).toHaveAccessibleDescription('10,000 / 10,000')
  await page.locator('.model', { hasText: 'Stable Diffusion 3.5 Large' }).click()
  await page.getByText('Settings', { exact: true }).click()
  const negative = page.getByRole('textbox', { name: 'Negative prompt' })
  await negative.focus()
  await page.keyboard.insertText(text.slice(0, 2_001))
  await expect(negative).toHaveAttribute('aria-invalid', 'true')
  await expect(payButton(page)).toBeDisabled()
  await expect(page.locator('.paybar')).toContainText(
    'Negative prompt · The text is too long: at most 2,000 characters.',
  )
  await expect(paymentDialog(page)).toHaveCount(0)
})

test('behavior: M1 a tier that is not enforced is shown, and everyone may buy', async ({ page }) => {
  await openStudio(page)
  const model = page.locator('.model', { hasText: 'For holders of 500 AIC. Open to everyone for now.' }).first()
  await model.click()
  await expect(payButton(page)).toBeEnabled()
  await page.goto('/models')
  await expect(
    page.getByText('For holders of 500 AIC. Open to everyone for now.', { exact: false }).first(),
  ).toBeVisible()
  await expect(
    page.getByText('For 5,000 staked AIC. Open to everyone for now.', { exact: false }).first(),
  ).toBeVisible()
  await expect(page.getByText('Local demo: stand-in models.', { exact: false })).toHaveCount(1)
  await expect(page.getByText('Here a built-in', { exact: false })).toHaveCount(0)
})

const HASH = `0x${'ab'.repeat(32)}`

/** The first model then costs this much, in USDC, until a quote says otherwise. */
async function showPrice(page: Page, shown: string): Promise<void> {
  await page.route('**/api/models', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    body.models[0].estimatedCostUsdc = shown
    await route.fulfill({ response, json: body })
  })
}

test('behavior: a result stays until the next one or another account; what is called moved', async ({
  page,
  wallet,
}) => {
  const other = {
    ...outcome({ type: 'text', text: 'From another model.' }),
    id: '21234567-89ab-4cde-8f01-23456789abcd',
  }
  const earlier = { ...outcome({ type: 'text', text: 'An earlier text.' }), id: '11234567-89ab-4cde-8f01-23456789abcd' }
  await page.route('**/api/inferences?*', (route) => route.fulfill({ json: { items: [earlier], nextCursor: null } }))
  // Other stories buy from this model, and its price follows. It never moves above this one.
  await showPrice(page, '9.000000')
  await openStudio(page)
  const made = [outcome({ type: 'text', text: 'The first result.' }), other]
  await onPaidCall(page, (route, _call, index) => route.fulfill(stream(['result', made[index]])))
  await goToReview(page)
  await signButton(page).click()
  await expect(result(page)).toContainText('The first result.')
  await expect(page.locator('.recent')).toContainText('An earlier text.')
  await page.getByRole('button', { name: 'Run again, same seed' }).click()
  await expect(signButton(page)).toBeEnabled()
  await expect(page.getByText('The price moved', { exact: false })).toHaveCount(0)
  await expect(page.getByText('The first result.')).toBeVisible()
  await paymentDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('The first result.')).toBeVisible()
  expect(wallet.signed).toHaveLength(1)

  await page.getByLabel('Same prompt, another model').selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Compare' }).click()
  await expect(paymentDialog(page)).toContainText('FLUX dev')
  await signButton(page).click()
  const pair = page.locator('.compare-pair > div')
  await expect(pair.first()).toContainText('FLUX schnell')
  await expect(pair.first()).toContainText('The first result.')
  await expect(pair.last()).toContainText('FLUX dev')
  await expect(pair.last()).toContainText('From another model.')
  expect(wallet.signed).toHaveLength(2)

  // Another account sees nothing of it: no result, no comparison, no history, and no prompt that was paid for.
  await wallet.emit(page, 'accountsChanged', ['0x1005dC00000000000000000000000000000005DC'])
  for (const part of ['.result', '.compare', '.recent']) await expect(page.locator(part)).toHaveCount(0)
  await expect(promptBox(page)).toHaveValue('')
  await page.unrouteAll({ behavior: 'wait' })
})

for (const [shown, isMoved] of [
  ['0.000001', true],
  ['9.000000', false],
] as const) {
  test(`behavior: a price shown as ${shown} before: moved is ${isMoved}`, async ({ page, wallet }) => {
    await showPrice(page, shown)
    await openStudio(page)
    await goToReview(page)
    await expect(page.getByText('The price moved from', { exact: false })).toHaveCount(isMoved ? 1 : 0)
    expect(wallet.signed).toEqual([])
    await page.unrouteAll({ behavior: 'wait' })
  })
}

test('behavior: elapsed time and the drawing never run backwards', async ({ page, wallet }) => {
  await openStudio(page)
  const looked = Promise.withResolvers<void>()
  const paid = await onPaidCall(page, async (route, _call, index) => {
    // The provider counts from later than this page, and a broken stream starts from a lower figure.
    const seconds = [2.8, 0.2, 4.4, 0.2][index] ?? 0
    if (index < 4)
      return route.fulfill(
        stream(['settled', { transaction: HASH, network: 'eip155:8453' }], ['running', { logs: null, seconds }]),
      )
    await looked.promise
    return route.fulfill(stream(['result', outcome({ type: 'text', text: 'done' })]))
  })
  await goToReview(page)
  await page.evaluate(() => {
    const seen: number[] = []
    Reflect.set(window, 'seenSeconds', seen)
    new MutationObserver(() => {
      const text = document.querySelector('.stage-time')?.textContent ?? ''
      const seconds = Number(/^([\d.]+)\ss/.exec(text)?.[1] ?? Number.NaN)
      if (!Number.isNaN(seconds)) seen.push(seconds)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await signButton(page).click()
  await expect(page.locator('.nav a[href="/history"]')).toHaveAttribute('data-running', 'running')
  looked.resolve()
  await expect(result(page)).toContainText('done')
  const seen: number[] = await page.evaluate(() => Reflect.get(window, 'seenSeconds'))
  expect(seen.length).toBeGreaterThan(2)
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(paid.length).toBe(5)
  expect(wallet.signed).toHaveLength(1)
})

const CSV = `created_at,model,payment_amount,payment_tx_hash,estimated_cost_usdc
2026-11-28T10:00:00Z,black-forest-labs/flux-schnell,10000,${HASH},0.010000
`

test('behavior: a run under way is first in the history; it can be searched and saved', async ({
  page,
  stackInfo,
  wallet,
}) => {
  const item = (id: string, status: string, prompt: string, output: unknown = null) => ({
    ...outcome(output, status),
    id: `01234567-89ab-4cde-8f01-2345678900${id}`,
    task: 'text-to-image',
    model: 'black-forest-labs/flux-schnell',
    prompt,
    createdAt: '2026-11-28T10:00:00Z',
  })
  const asked: string[] = []
  await page.route('**/api/inferences?*', (route) => {
    if (route.request().url().includes('format=csv')) return route.fulfill({ contentType: 'text/csv', body: CSV })
    asked.push(new URL(route.request().url()).searchParams.get('q') ?? '')
    return route.fulfill({
      json: {
        items: [
          item('01', 'succeeded', 'an old heron', { type: 'text', text: 'An old poem.' }),
          item('02', 'pending', 'a new heron'),
          item('03', 'succeeded', 'a lost heron', { type: 'image', urls: [`${stackInfo.origin}/no-such-file.webp`] }),
        ],
        nextCursor: null,
      },
    })
  })
  let status = 'pending'
  await page.route('**/api/inference/*', (route) => route.fulfill({ json: item('02', status, 'a new heron') }))
  await openStudio(page)
  await signIn(page)
  await page.getByRole('link', { name: 'History', exact: true }).click()
  await expect(page.locator('.card-title').first()).toHaveText('a new heron')
  await expect(page.locator('.card').first()).toContainText('Running')
  status = 'failed'
  await expect(page.locator('.card', { hasText: 'a new heron' })).toContainText('Failed')
  await page.getByText('Spending by month and model').click()
  await expect(page.getByRole('row', { name: 'November 2026 1 0.01' })).toBeVisible()
  await expect(page.getByRole('row', { name: 'FLUX schnell 1 0.01' })).toBeVisible()
  await page.getByRole('button', { name: 'Select' }).click()
  await page.getByRole('checkbox', { name: 'Choose: an old heron' }).check()
  await expect(page.getByRole('button', { name: 'Download as ZIP (1)' })).toBeEnabled()
  await page.getByRole('button', { name: 'Choose all shown' }).click()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as ZIP (2)' }).click(),
  ])
  expect(await readFile(await saved.path(), 'latin1')).toContain('An old poem.')
  await expect(page.getByText('Files that could not be loaded: 1.')).toBeVisible()
  await page.getByLabel('Search prompts').fill('heron')
  await expect.poll(() => asked).toContain('heron')
  expect(wallet.messages).toHaveLength(1)
})

test('default: made results are shown before paying, and a click fills the form', async ({ page }) => {
  await openStudio(page)
  const made = page.getByRole('region', { name: 'Examples' })
  await expect(made.getByRole('link')).toHaveCount(9)
  const seconds = () => made.locator('audio').evaluate((player: HTMLAudioElement) => player.duration)
  await made.locator('audio').evaluate((player: HTMLAudioElement) => player.setAttribute('preload', 'metadata'))
  await expect.poll(seconds).toBeGreaterThan(2)
  await expect(made).toContainText(/≈\s1\s¢ · /)
  await made.getByRole('link', { name: /a lighthouse on a cliff/ }).click()
  await expect(promptBox(page)).toHaveValue('a lighthouse on a cliff at sunset, long shadows')
  await expect(page).toHaveURL(/\/$/)
  await made.getByRole('link', { name: /poem about the sea/ }).click()
  await expect(page.getByRole('radio', { name: /Llama 3 8B/ })).toBeChecked()
  const sizes = await page
    .locator('.made img')
    .evaluateAll((images: HTMLImageElement[]) => images.map(({ naturalWidth }) => naturalWidth))
  expect(sizes.every((width) => width === 512 || width === 0)).toBe(true)
})
