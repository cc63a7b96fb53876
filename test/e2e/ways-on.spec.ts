import { expect, openStudio, payButton, paymentDialog, placesOf, promptBox, test } from './support/site.ts'

test('default: without a wallet a desktop shows a QR code of the page with the draft', async ({ page }) => {
  await openStudio(page)
  await promptBox(page).fill('a heron')
  await payButton(page).click()
  await expect(page.getByRole('img', { name: 'QR code: this page, with what you entered' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Get a wallet' })).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  test('default: without a wallet a phone has links into wallets, with the draft', async ({ page, stackInfo }) => {
    const arrives = Promise.withResolvers<void>()
    await page.route('**/assets/ways-on-*.js', async (route) => {
      await arrives.promise
      await route.continue()
    })
    await openStudio(page)
    await promptBox(page).fill('a heron')
    await payButton(page).click()
    const parts = [page.locator('.wallet').first(), paymentDialog(page).getByRole('button', { name: 'Close' })]
    const before = await placesOf(page, parts)
    arrives.resolve()
    const link = page.getByRole('link', { name: 'MetaMask' })
    await expect(link).toBeVisible()
    // What arrives late moves nothing under a finger.
    expect(await placesOf(page, parts)).toEqual(before)
    const href = (await link.getAttribute('href')) ?? ''
    expect(href).toContain(`https://link.metamask.io/dapp/${new URL(stackInfo.origin).host}/?model=`)
    // The link opens the form as it was.
    await page.goto(href.replace('https://link.metamask.io/dapp/', 'http://'))
    await expect(promptBox(page)).toHaveValue('a heron')
  })
})
