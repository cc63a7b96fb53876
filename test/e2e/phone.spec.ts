import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
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
} from './support/site.ts'
import { Rejects } from './support/test-wallet.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('behavior: back closes the payment dialog at each step: nothing is lost or paid', async ({ page, wallet }) => {
  await page.goto('/models')
  await openStudio(page)
  const paid = await onPaidCall(page, (route) => route.continue())
  const back = async (): Promise<void> => {
    await page.goBack()
    await expect(paymentDialog(page)).toBeHidden()
    await expect(page).toHaveURL('/')
    await expect(promptBox(page)).toHaveValue('a heron in the reeds')
  }
  await promptBox(page).fill('a heron in the reeds')
  await payButton(page).click()
  await expect(page.getByRole('button', { name: 'Example Wallet' })).toBeVisible()
  await back()

  await payButton(page).click()
  await page.getByRole('button', { name: 'Example Wallet' }).click()
  await expect(paymentDialog(page).getByRole('button', { name: 'Sign in' })).toBeEnabled()
  await back()

  await payButton(page).click()
  await paymentDialog(page).getByRole('button', { name: 'Sign in' }).click()
  await expect(signButton(page)).toBeEnabled()
  await back()

  // The wallet asks for the payment. What it signs after that is discarded.
  const late = Promise.withResolvers<void>()
  wallet.on('eth_signTypedData_v4', async (params) => {
    await late.promise
    return wallet.answer('eth_signTypedData_v4', params)
  })
  await payButton(page).click()
  await signButton(page).click()
  await expect.poll(() => wallet.count('eth_signTypedData_v4')).toBe(1)
  await back()
  late.resolve()
  await expect.poll(() => wallet.signed.length).toBe(1)
  wallet.off('eth_signTypedData_v4')

  // A dialog that was closed otherwise costs no press: the next one leaves the page, and the one after a purchase too.
  await payButton(page).click()
  await paymentDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await payButton(page).click()
  await signButton(page).click()
  await expect(result(page)).toBeVisible()
  await expect(page.locator('.result-panel')).toBeInViewport()
  expect(paid).toHaveLength(1)
  expect(wallet.signed).toHaveLength(2)
  // The same for the picture in full size.
  for (const leave of [() => page.goBack(), () => page.getByRole('button', { name: 'Close' }).click()]) {
    await page.getByRole('button', { name: 'View full size' }).click()
    await expect(page.locator('.zoom')).toBeVisible()
    await leave()
    await expect(page.locator('.zoom')).toBeHidden()
    await expect(page).toHaveURL('/')
  }
  await expect.poll(() => page.evaluate(() => history.state)).toBeNull()
  await page.goBack()
  await expect(page).toHaveURL('/models')
})

test('behavior: a reload keeps the place and leaves no dialog, nor does forward open one again', async ({ page }) => {
  await page.goto('/models')
  await openStudio(page)
  await page.evaluate(() => scrollTo({ top: 600, behavior: 'instant' }))
  await page.reload()
  await expect(payButton(page)).toBeVisible()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(600)
  const entry = () => expect.poll(() => page.evaluate(() => history.state))
  const place = () => page.evaluate(() => [scrollY, history.scrollRestoration])
  await promptBox(page).fill('a heron in the reeds')
  for (const leave of [() => page.goBack(), () => page.reload()]) {
    await payButton(page).click()
    await expect(paymentDialog(page)).toBeVisible()
    await entry().toBe('coinslot.open')
    await leave()
    await expect(paymentDialog(page)).toBeHidden()
    await expect(promptBox(page)).toHaveValue('a heron in the reeds')
    await entry().toBeNull()
    // The browser keeps this page's place again.
    await expect.poll(place).toEqual([expect.any(Number), 'auto'])
    await page.evaluate(() => scrollTo({ top: 150, behavior: 'instant' }))
    await page.goForward()
    await entry().toBeNull()
    await expect.poll(place).toEqual([150, 'auto'])
    await expect(paymentDialog(page)).toBeHidden()
  }
  await page.goBack()
  await expect(page).toHaveURL('/models')
})

test('behavior: the button says what the wallet is asked for', async ({ page, wallet, stackInfo }) => {
  await openStudio(page)
  await goToReview(page)
  const asked = Promise.withResolvers<null>()
  wallet.on('eth_signTypedData_v4', async () => {
    await asked.promise
    throw new Rejects({ code: 4001, message: 'User rejected the request.' })
  })
  const button = paymentDialog(page).locator('.button-pay')
  await signButton(page).click()
  await expect(button).toHaveText('Open your wallet and sign…')
  asked.resolve(null)
  await expect(button).toHaveText(/^Sign and pay/)

  wallet.chainId = 10
  const switched = Promise.withResolvers<null>()
  wallet.on('wallet_switchEthereumChain', async () => {
    await switched.promise
    wallet.chainId = stackInfo.chainId
    return null
  })
  await signButton(page).click()
  await expect(button).toHaveText('Confirm the change to Local chain in your wallet…')
  switched.resolve(null)
  await expect(button).toHaveText(/^Sign and pay/)
  expect(wallet.signed).toEqual([])
})

for (const { end, event, says } of [
  {
    end: 'a result',
    event: ['result', outcome({ type: 'text', text: 'For the payer only.' })],
    says: (payer: string) => `The purchase has ended: see the history of ${payer}, which paid for it.`,
  },
  {
    end: 'a failed run that was charged',
    event: ['error', { code: 'inference_failed', title: 'For the payer only.', paymentState: 'settled' }],
    says: (payer: string) => `The purchase has ended: see the history of ${payer}, which paid for it.`,
  },
  {
    end: 'a payment that was not used',
    event: ['error', { code: 'quote_expired', title: 'For the payer only.', paymentState: 'unused' }],
    says: (payer: string) => `The purchase of ${payer} ended without a payment: nothing was charged.`,
  },
  {
    end: 'a payment that is kept',
    event: ['error', { code: 'settlement_unknown', title: 'For the payer only.', paymentState: 'unknown' }],
    says: (payer: string) => `A payment signed by ${payer} is not finished. Sign in with that wallet to continue.`,
  },
] satisfies { end: string; event: [string, object]; says(payer: string): string }[]) {
  test(`behavior: after an account change while paying, the page points to the payer: ${end}`, async ({
    page,
    wallet,
  }) => {
    await openStudio(page)
    const answer = Promise.withResolvers<void>()
    const paid = await onPaidCall(page, async (route) => {
      await answer.promise
      const [name, data] = event
      await route.fulfill(stream([name, { status: 502, nextAction: 'give_up', ...data }]))
    })
    await goToReview(page, 'a question of the payer')
    await signButton(page).click()
    await expect.poll(() => paid.length).toBe(1)
    const { address } = privateKeyToAccount(generatePrivateKey())
    await wallet.emit(page, 'accountsChanged', [address])
    answer.resolve()
    const payer = wallet.account.address
    const panel = page.locator('.result-panel')
    await expect(panel).toContainText(says(`${payer.slice(0, 6)}…${payer.slice(-4)}`))
    await expect(panel).toBeInViewport()
    await expect(panel).toBeFocused()
    await expect(page.getByText('For the payer only.')).toHaveCount(0)
    await expect(promptBox(page)).toHaveValue('')
    await expect
      .poll(async () => (await (await page.request.get('/api/auth/session')).json()).address ?? null)
      .toBeNull()
    expect(wallet.signed).toHaveLength(1)
  })
}

test('behavior: on a touch screen every target is at least 44 pixels wide and high', async ({ page, wallet }) => {
  await openStudio(page)
  const small = () =>
    page.evaluate(() => {
      const root = document.querySelector('dialog[open]') ?? document.body
      const targets = [...root.querySelectorAll<HTMLElement>('a, button, select, textarea, summary, label:has(input)')]
      return targets.flatMap((target) => {
        // A link inside of a sentence is as high as its line.
        const isInText = getComputedStyle(target).display === 'inline'
        if (isInText || !target.checkVisibility({ visibilityProperty: true }) || target.matches('.skip')) return []
        const boxes = [null, '::before', '::after'].map((part) => {
          const style = getComputedStyle(target, part)
          return part === null || style.position === 'absolute' ? style : null
        })
        const own = target.getBoundingClientRect()
        const size = (name: 'width' | 'height') =>
          Math.max(own[name], ...boxes.map((style) => Number.parseFloat(style?.[name] ?? '0') || 0))
        const [width, height] = [size('width'), size('height')]
        return width < 43.5 || height < 43.5 ? [`${target.textContent}: ${width} x ${height}`] : []
      })
    })
  expect(await small()).toEqual([])
  // The links of the footer are high enough without a gap.
  await expect(page.locator('.footer-links')).toHaveCSS('row-gap', '0px')
  // Nor does a long word make the page wider.
  await promptBox(page).fill('x'.repeat(300))
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await promptBox(page).fill('a heron')
  await payButton(page).click()
  await page.getByRole('button', { name: 'Example Wallet' }).click()
  await paymentDialog(page).getByRole('button', { name: 'Sign in' }).click()
  await expect(signButton(page)).toBeEnabled()
  await paymentDialog(page).getByText('Details: Local chain, no gas').click()
  expect(await small()).toEqual([])
  await signButton(page).click()
  await expect(result(page).getByRole('img')).toBeVisible()
  expect(await small()).toEqual([])
  await result(page).getByRole('link', { name: 'Details' }).click()
  await expect(page.getByRole('button', { name: 'Create a link' })).toBeVisible()
  expect(await small()).toEqual([])
  for (const path of ['/history', '/account', '/models', '/refunds']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect([path, await small()]).toEqual([path, []])
  }
  expect(wallet.signed).toHaveLength(1)
})
