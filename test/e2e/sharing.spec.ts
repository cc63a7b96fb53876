import { expect, goToReview, openStudio, outcome, result, signButton, test } from './support/site.ts'

test('default: a result is shared by choice, shown to others without its wallet, and taken back', async ({
  page,
  wallet,
  browser,
}) => {
  await openStudio(page)
  await goToReview(page, 'a lamp for a friend')
  await signButton(page).click()
  await expect(result(page)).toBeVisible()
  await page.getByRole('link', { name: 'Details', exact: true }).click()
  const promptBox = page.getByRole('checkbox', { name: 'Show the prompt' })
  await promptBox.check()
  await page.getByRole('button', { name: 'Create a link' }).click()
  const link = page.getByRole('link', { name: /\/s\/[0-9a-f-]{36}$/ })
  const address = (await link.textContent()) ?? ''

  const other = await browser.newContext()
  const visitor = await other.newPage()
  const opened = await visitor.goto(address)
  expect(opened?.headers()['x-robots-tag']).toBe('noindex')
  await expect(result(visitor).getByText('a lamp for a friend')).toBeVisible()
  await expect(result(visitor).getByRole('img').first()).toBeVisible()
  expect((await visitor.content()).toLowerCase()).not.toContain(wallet.account.address.slice(2, 12).toLowerCase())

  await page.getByRole('button', { name: 'Stop sharing' }).click()
  await expect(page.getByText('No longer shared.')).toBeVisible()
  // The choice that the next link would have is the one that is seen.
  await expect(promptBox).toBeChecked()
  await visitor.reload()
  await expect(visitor.getByText('This result is not shared, or no longer shared.')).toBeVisible()
  await other.close()
})

const REFUNDS = [
  ['is owed', { status: 'owed', refundedAt: null, transaction: null }, 'This payment is owed to you.'],
  [
    'was refunded',
    { status: 'refunded', refundedAt: '2026-11-20T10:00:00.000Z', transaction: `0x${'cd'.repeat(32)}` },
    'Refunded on ',
  ],
] as const

test('behavior: a failed run says that its payment is owed or was refunded', async ({ page, wallet }) => {
  await openStudio(page)
  await goToReview(page)
  expect(wallet.messages).toHaveLength(1)
  for (const [, refund, words] of REFUNDS) {
    const failed = { ...outcome(null, 'failed'), error: { code: 'inference_failed', detail: 'No.' }, refund }
    await page.route('**/api/inference/01234567-*', (route) => route.fulfill({ json: failed }))
    await page.goto(`/i/${failed.id}`)
    await expect(page.getByText(words, { exact: false })).toBeVisible()
    await page.unroute('**/api/inference/01234567-*')
    await page.route('**/api/inferences?*', (route) => route.fulfill({ json: { items: [failed], nextCursor: null } }))
    await page.goto('/history')
    const card = page.locator('.card-choice').filter({ hasText: words })
    await expect(card.getByText(refund.transaction === null ? words : '0xcdcd…cdcd')).toBeVisible()
    await page.unroute('**/api/inferences?*')
  }
})
