import { generatePrivateKey } from 'viem/accounts'
import {
  expect,
  openStudio,
  payButton,
  paymentDialog,
  placesOf,
  promptBox,
  test,
  walletOptions,
} from './support/site.ts'
import { TestWallet } from './support/test-wallet.ts'

test('default: without a wallet a desktop shows a QR code of the page with the draft', async ({ page }) => {
  await openStudio(page)
  await promptBox(page).fill('a heron')
  await payButton(page).click()
  await expect(page.getByRole('img', { name: 'QR code: this page, with what you entered' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Get a wallet' })).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  test('default: a phone without a wallet has links into some; nothing moves for a late one', async ({
    page,
    context,
    stackInfo,
  }) => {
    await page.route('**/assets/demo-option-*.js', (route) => route.abort())
    const late = { key: generatePrivateKey(), shows: 'late', name: 'Late Wallet' } as const
    const wallet = new TestWallet(walletOptions(stackInfo, late))
    await wallet.install(context)
    const arrives = Promise.withResolvers<void>()
    await page.route('**/assets/ways-on-*.js', async (route) => {
      await arrives.promise
      await route.continue()
    })
    await openStudio(page)
    await promptBox(page).fill('a heron')
    await payButton(page).click()
    const closeButton = paymentDialog(page).getByRole('button', { name: 'Close' })
    const parts = [paymentDialog(page).getByText('No wallet found in this browser.'), closeButton]
    const before = await placesOf(page, parts)
    arrives.resolve()
    const link = page.getByRole('link', { name: 'MetaMask' })
    await expect(link).toBeVisible()
    expect(await placesOf(page, parts)).toEqual(before)

    // The wallet takes the place of the sentence, and no tap that was meant for what was there before.
    const places = await placesOf(page, [link, closeButton])
    const takesTaps = await page.evaluate(() => {
      window.dispatchEvent(new Event('test-announce'))
      const entry = document.querySelector('.wallet-late')
      return entry !== null && getComputedStyle(entry).pointerEvents
    })
    expect(takesTaps).toBe('none')
    expect(await placesOf(page, [link, closeButton])).toEqual(places)
    const href = (await link.getAttribute('href')) ?? ''
    await page.getByRole('button', { name: 'Late Wallet' }).click()
    await expect(paymentDialog(page).getByRole('button', { name: 'Sign in' })).toBeVisible()
    expect(wallet.requests).not.toEqual([])

    expect(href).toContain(`https://link.metamask.io/dapp/${new URL(stackInfo.origin).host}/#model=`)
    // The link opens the form as it was.
    await page.goto(href.replace('https://link.metamask.io/dapp/', 'http://'))
    await expect(promptBox(page)).toHaveValue('a heron')
  })
})
