import {
  expect,
  goToReview,
  onPaidCall,
  openStudio,
  outcome,
  payButton,
  paymentDialog,
  result,
  signButton,
  stream,
  test,
} from './support/site.ts'

const problem = (status: number, code: string, members: Record<string, unknown>) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: `/problems/${code}`, title: code, status, code, requestId: 'req_1', ...members }),
})

test('error: settlement_unknown keeps the payment and retries until there is an outcome', async ({ page, wallet }) => {
  await openStudio(page)
  const paid = await onPaidCall(page, (route, _call, index) =>
    index < 2
      ? route.fulfill(
          problem(503, 'settlement_unknown', { nextAction: 'poll', paymentState: 'unknown', retryAfterSeconds: 1 }),
        )
      : route.continue(),
  )
  await goToReview(page)
  await signButton(page).click()
  await expect(result(page)).toBeVisible()
  expect(paid).toHaveLength(3)
  expect(new Set(paid.map(({ header }) => header)).size).toBe(1)
  expect(wallet.signed).toHaveLength(1)
})

test('error: payment_rejected says that nothing was charged; only the person starts again', async ({
  page,
  wallet,
}) => {
  await openStudio(page)
  const paid = await onPaidCall(page, (route) =>
    route.fulfill(
      problem(402, 'payment_rejected', {
        title: 'The payment was rejected',
        nextAction: 'sign_new_payment',
        paymentState: 'unused',
      }),
    ),
  )
  await goToReview(page)
  await signButton(page).click()
  await expect(page.getByRole('alert')).toContainText('The payment was rejected')
  await expect(page.getByRole('alert')).toContainText('Nothing was charged.')
  await expect(page.getByRole('link', { name: 'What this means' })).toHaveAttribute(
    'href',
    '/problems/payment_rejected',
  )
  expect(paid).toHaveLength(1)
  await page.getByRole('button', { name: 'Try again (new payment)' }).click()
  await expect(signButton(page)).toBeEnabled()
  expect(wallet.signed).toHaveLength(1)
})

test('error: rate_limited before a charge lets the person give up', async ({ page, wallet }) => {
  await openStudio(page)
  const paid = await onPaidCall(page, (route) =>
    route.fulfill(
      problem(429, 'rate_limited', { nextAction: 'wait_and_retry', paymentState: 'unused', retryAfterSeconds: 60 }),
    ),
  )
  await goToReview(page)
  await signButton(page).click()
  await expect(page.getByText(/\(waiting for [\d.]+\ss\)/)).toBeVisible()
  await expect(page.getByText('You can close this page.', { exact: false })).toHaveCount(0)
  await page.getByRole('button', { name: 'Do not pay' }).click()
  await expect(payButton(page)).toBeEnabled()
  await page.reload()
  await expect(payButton(page)).toBeVisible()
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('payment')))).toEqual([])
  expect([paid.length, wallet.signed.length]).toEqual([1, 1])
})

test('error: inference_failed says that it was charged, and a reload does not send it again', async ({
  page,
  wallet,
}) => {
  await openStudio(page)
  const paid = await onPaidCall(page, (route) =>
    route.fulfill(
      stream(
        ['settled', { transaction: `0x${'ab'.repeat(32)}`, network: 'eip155:31337' }],
        [
          'error',
          {
            status: 502,
            code: 'inference_failed',
            title: 'The model run failed after payment',
            requestId: 'req_1',
            nextAction: 'give_up',
            paymentState: 'settled',
          },
        ],
      ),
    ),
  )
  await goToReview(page)
  await signButton(page).click()
  await expect(page.getByRole('alert')).toContainText(/You were charged 0\.\d+\sUSDC\. Transaction: 0xabab…abab/)
  await expect(page.getByRole('link', { name: 'Refunds' }).first()).toHaveAttribute('href', '/refunds')
  // The operator asks for a reference. Without the id of the run it is that of the request.
  await expect(page.getByRole('alert')).toContainText('Reference req_1')
  await page.reload()
  await expect(payButton(page)).toBeEnabled()
  expect(paid).toHaveLength(1)
  expect(wallet.signed).toHaveLength(1)
})

test('error: unauthenticated during payment keeps the payment for the next sign-in', async ({
  page,
  context,
  wallet,
}) => {
  await openStudio(page)
  const paid = await onPaidCall(page, async (route, _call, index) => {
    if (index > 0) return route.continue()
    await context.clearCookies()
    await route.fulfill(problem(401, 'unauthenticated', { nextAction: 'sign_in' }))
  })
  await goToReview(page)
  await signButton(page).click()
  await page.getByRole('button', { name: 'Sign in and continue' }).click()
  await paymentDialog(page).getByRole('button', { name: 'Sign in' }).click()
  await expect(result(page)).toBeVisible()
  expect(paid).toHaveLength(2)
  expect(paid[0]).toEqual(paid[1])
  expect(wallet.signed).toHaveLength(1)
})

test('error: B1 offline, then Pay: the paid result stays, and nothing was charged', async ({ page, wallet }) => {
  await openStudio(page)
  await onPaidCall(page, (route) => route.fulfill(stream(['result', outcome({ type: 'text', text: 'A paid text.' })])))
  await goToReview(page)
  await signButton(page).click()
  await expect(result(page)).toContainText('A paid text.')
  await page.waitForLoadState('networkidle')
  await page.route('**/api/**', (route) => route.abort('connectionreset'))
  await payButton(page).click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('The service cannot be reached.')
  await expect(alert).toContainText('Nothing was charged.')
  await expect(result(page)).toContainText('A paid text.')
  await page.unroute('**/api/**')
  await alert.getByRole('button', { name: 'Try again', exact: true }).click()
  await expect(signButton(page)).toBeEnabled()
  expect(wallet.signed).toHaveLength(1)
})

test('behavior: B3 a purchase started far down the form comes into view', async ({ page, wallet }) => {
  await page.setViewportSize({ width: 1280, height: 600 })
  await openStudio(page)
  await page.getByText('Settings', { exact: true }).click()
  await expect(page.locator('.settings input').first()).toBeVisible()
  await onPaidCall(page, async () => undefined)
  await goToReview(page)
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
  const panelTop = () =>
    page.getByRole('region', { name: 'Result' }).evaluate((panel) => panel.getBoundingClientRect().top)
  expect(await panelTop()).toBeLessThan(0)
  await signButton(page).click()
  await expect(page.locator('.progress')).toBeInViewport()
  await expect.poll(panelTop).toBeGreaterThanOrEqual(0)
  expect(wallet.signed).toHaveLength(1)
})
