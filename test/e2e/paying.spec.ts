import { generatePrivateKey } from 'viem/accounts'
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
  stream,
  test,
  walletOptions,
} from './support/site.ts'
import { TestWallet } from './support/test-wallet.ts'

test('behavior: a double click and Enter ask for one signature and make one payment', async ({ page, wallet }) => {
  await openStudio(page)
  const paid = await onPaidCall(page, (route) => route.continue())
  await goToReview(page)
  await signButton(page).evaluate((button: HTMLButtonElement) => {
    button.click()
    button.click()
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    button.click()
  })
  await expect(result(page)).toBeVisible()
  expect(wallet.count('eth_signTypedData_v4')).toBe(1)
  expect(new Set(paid.map(({ header }) => header)).size).toBe(1)
  expect(paid).toHaveLength(1)
})

test('behavior: a double press of the pay button opens one dialog', async ({ page, wallet }) => {
  await openStudio(page)
  await goToReview(page)
  await paymentDialog(page).getByRole('button', { name: 'Cancel' }).click()
  let quotes = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/inference')) quotes += 1
  })
  await payButton(page).evaluate((button: HTMLButtonElement) => {
    button.click()
    button.click()
  })
  await expect(signButton(page)).toBeEnabled()
  expect(quotes).toBe(1)
  expect(wallet.messages).toHaveLength(1)
})

test('behavior: after a lost answer the same payment is sent again, and charged once', async ({ page, wallet }) => {
  await openStudio(page)
  const paid = await onPaidCall(page, async (route, _call, index) => {
    if (index > 0) return route.continue()
    // The server receives it. Its answer is lost.
    await route.fetch()
    await route.abort('connectionreset')
  })
  await goToReview(page)
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

test('behavior: a signature after the dialog was closed is discarded, and the next one pays', async ({
  page,
  wallet,
}) => {
  await openStudio(page)
  const paid = await onPaidCall(page, (route) => route.continue())
  await goToReview(page)
  const late = Promise.withResolvers<void>()
  wallet.on('eth_signTypedData_v4', async (params) => {
    await late.promise
    return wallet.answer('eth_signTypedData_v4', params)
  })
  await signButton(page).click()
  await expect.poll(() => wallet.count('eth_signTypedData_v4')).toBe(1)
  await paymentDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(paymentDialog(page)).toBeHidden()
  late.resolve()
  await expect.poll(() => wallet.signed.length).toBe(1)
  await payButton(page).click()
  await signButton(page).click()
  await expect(result(page)).toBeVisible()
  expect(wallet.signed).toHaveLength(2)
  expect(paid).toHaveLength(1)
  expect(atob(paid[0]?.header ?? '')).toContain(wallet.signed[1]?.message['nonce'])
})

test('behavior: the amounts shown, signed and charged are equal', async ({ page, wallet, stackInfo }) => {
  await openStudio(page)
  // No other story buys from this model. A price follows the runs of its model.
  await page.getByRole('radio', { name: /Stable Diffusion 3\.5 Medium/ }).check({ force: true })
  const shown = (await payButton(page).textContent())?.match(/Pay ([\d.]+) USDC/)?.[1] ?? ''
  await goToReview(page)
  await expect(paymentDialog(page).locator('.quote-amount')).toContainText(`${shown} USDC`)
  await expect(paymentDialog(page)).toContainText(stackInfo.payTo)
  await expect(paymentDialog(page)).toContainText('Local chain')
  await expect(paymentDialog(page)).toContainText('None. You sign, the service submits.')
  await expect(paymentDialog(page).getByRole('checkbox')).toHaveCount(0)
  await signButton(page).click()
  await expect(result(page)).toBeVisible()
  const message = wallet.signed[0]?.message
  const atomic = BigInt(Math.round(Number(shown) * 1e6))
  expect(message).toMatchObject({ value: String(atomic), from: wallet.account.address, validAfter: '0' })
  expect(message?.['to']?.toLowerCase()).toBe(stackInfo.payTo.toLowerCase())
  const secondsLeft = Number(message?.['validBefore']) - Date.now() / 1000
  expect(secondsLeft).toBeGreaterThan(500)
  expect(secondsLeft).toBeLessThanOrEqual(601)
  await expect(result(page).getByText(`${shown} USDC`).first()).toBeVisible()
})

test('behavior: an empty wallet sees what is missing before it signs, and the faucet fills it', async ({
  page,
  context,
  stackInfo,
}) => {
  const poor = new TestWallet(walletOptions(stackInfo, { key: generatePrivateKey() }))
  await poor.install(context)
  await openStudio(page)
  await promptBox(page).fill('a picture for nothing')
  await payButton(page).click()
  await page.getByRole('button', { name: 'Example Wallet' }).click()
  await paymentDialog(page).getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText(/^Not enough USDC: [\d.]+ USDC is missing\.$/)).toBeVisible()
  await expect(signButton(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Get test USDC' }).click()
  await expect(page.getByText('Your balance: 100.00 USDC')).toBeVisible()
  await signButton(page).click()
  await expect(result(page)).toBeVisible()
})

test('behavior: stages, transaction, log and text appear as they arrive', async ({ page, wallet }) => {
  const hash = `0x${'ab'.repeat(32)}`
  let open: (() => void) | undefined
  await openStudio(page)
  await onPaidCall(page, async (route, _call, index) => {
    const begun = [
      ['verified', {}],
      ['settled', { transaction: hash, network: 'eip155:8453', paymentResponse: 'e30=' }],
      ['running', { logs: 'loading weights\nstep 3 of 4', seconds: 2.5 }],
      ['token', { text: 'The sea ' }],
      ['token', { text: 'is blue' }],
    ] as [string, unknown][]
    if (index === 0) return route.fulfill(stream(...begun))
    await new Promise<void>((resolve) => {
      open = resolve
    })
    await route.fulfill(
      stream(['settled', {}], ['result', outcome({ type: 'text', text: 'The sea is blue, always.' })]),
    )
  })
  await goToReview(page)
  await signButton(page).click()
  await expect(page.locator('.stages li').nth(2)).toContainText('Settled')
  await expect(page.getByRole('link', { name: '0xabab…abab' })).toHaveAttribute(
    'href',
    `https://basescan.org/tx/${hash}`,
  )
  await expect(page.getByText('step 3 of 4')).toBeVisible()
  await expect(page.getByText('The sea is blue', { exact: true })).toBeVisible()
  await expect.poll(() => open).toBeDefined()
  open?.()
  await expect(result(page)).toContainText('The sea is blue, always.')
  expect(wallet.signed).toHaveLength(1)
})

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
  await page.getByRole('button', { name: 'Get a new price' }).click()
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
            nextAction: 'give_up',
            paymentState: 'settled',
          },
        ],
      ),
    ),
  )
  await goToReview(page)
  await signButton(page).click()
  await expect(page.getByRole('alert')).toContainText(
    'You were charged. The payment is recorded with its transaction hash.',
  )
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
