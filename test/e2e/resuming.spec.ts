import { expect, goToReview, onPaidCall, openStudio, result, signButton, stream, test } from './support/site.ts'

test('behavior: after a lost answer the same payment is sent again, and charged once', async ({ page, wallet }) => {
  await openStudio(page)
  const paid = await onPaidCall(page, async (route, _call, index) => {
    if (index > 0) return route.continue()
    // The server receives it. Its answer is lost.
    await route.fetch()
    await route.abort('connectionreset')
  })
  await goToReview(page)
  // The code that shows the purchase is here before the signature: a line that breaks then cannot keep it away.
  await page.waitForLoadState('networkidle')
  await page.route('**/assets/*.js', (route) => route.abort())
  await signButton(page).click()
  await expect(result(page)).toBeVisible()
  expect(paid.length).toBeGreaterThanOrEqual(2)
  expect(new Set(paid.map(({ header, body }) => header + body)).size).toBe(1)
  expect(wallet.count('eth_signTypedData_v4')).toBe(1)
})

test('behavior: a stream that breaks is resumed with the same payment', async ({ page, wallet }) => {
  await openStudio(page)
  const paid = await onPaidCall(page, (route, _call, index) =>
    index === 0
      ? route.fulfill(
          stream(['verified', {}], ['settled', { transaction: `0x${'cd'.repeat(32)}`, network: 'eip155:31337' }]),
        )
      : route.continue(),
  )
  await goToReview(page)
  await signButton(page).click()
  await expect(result(page)).toBeVisible()
  expect(paid).toHaveLength(2)
  expect(paid[0]).toEqual(paid[1])
  expect(wallet.signed).toHaveLength(1)
})

test('behavior: a reload continues with the payment that was signed', async ({ page, wallet }) => {
  await openStudio(page)
  const paid = await onPaidCall(page, async (route, _call, index) => {
    // The first call never returns: the page is reloaded while it waits.
    if (index > 0) await route.continue()
  })
  await goToReview(page)
  await signButton(page).click()
  await expect(page.getByText('You can close this page.', { exact: false })).toBeVisible()
  await page.reload()
  await expect(result(page)).toBeVisible()
  expect(paid).toHaveLength(2)
  expect(paid[0]).toEqual(paid[1])
  expect(wallet.signed).toHaveLength(1)
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('payment')))).toEqual([])
})

test('behavior: a second tab waits for the first, and continues when it closes', async ({ page, context, wallet }) => {
  await openStudio(page)
  const first = await onPaidCall(page, async () => undefined)
  await goToReview(page)
  await signButton(page).click()
  await expect.poll(() => first.length).toBe(1)

  const other = await context.newPage()
  const second = await onPaidCall(other, (route) => route.continue())
  await openStudio(other)
  await expect(other.getByText('Another tab is finishing this purchase.', { exact: false })).toBeVisible()
  expect(second).toEqual([])
  await page.close()
  await expect(result(other)).toBeVisible()
  expect(second).toEqual(first)
  expect(wallet.signed).toHaveLength(1)
})

test('behavior: a payment kept by an earlier version of the site is finished', async ({ page, wallet }) => {
  await openStudio(page)
  const paid = await onPaidCall(page, async (route, _call, index) => {
    if (index > 0) await route.continue()
  })
  await goToReview(page)
  await signButton(page).click()
  await expect.poll(() => paid.length).toBe(1)
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith('coinslot.payment.')) ?? ''
    const { payer, header, body, label, signedAtMs } = JSON.parse(localStorage.getItem(key) ?? '')
    localStorage.setItem(key, JSON.stringify({ payer, header, body, label, signedAtMs }))
  })
  await page.reload()
  await expect(result(page)).toBeVisible()
  expect(paid).toHaveLength(2)
  expect(paid[0]).toEqual(paid[1])
  expect(wallet.signed).toHaveLength(1)
})
