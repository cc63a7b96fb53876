import { generatePrivateKey } from 'viem/accounts'
import {
  blockSiteData,
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
import { Rejects, TestWallet } from './support/test-wallet.ts'

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
  const shown = (await page.locator('.paybar-sum').textContent())?.match(/^([\d.]+)\sUSDC/)?.[1] ?? ''
  await expect(payButton(page)).toHaveText(/^Pay ≈\s[\d.]+\s¢ and create$/)
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
  await expect(page.getByText(/^Not enough: [\d.]+\sUSDC is missing\.$/)).toBeVisible()
  await expect(signButton(page)).toBeDisabled()
  await expect(page.getByRole('img', { name: 'QR code: Your address' })).toBeVisible()
  await expect(paymentDialog(page)).toContainText('Send USDC on Local chain to your address.')
  await page.getByRole('button', { name: 'Get test USDC' }).click()
  await expect(page.getByText(/^Your balance: 100\.00\sUSDC\. After this: 99\.\d+\sUSDC$/)).toBeVisible()
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

test('behavior: with site data blocked a purchase takes one more confirmation', async ({ page, wallet }) => {
  await blockSiteData(page)
  await openStudio(page)
  await promptBox(page).fill('a lighthouse without cookies')
  await payButton(page).click()
  await page.getByRole('button', { name: 'Buy without it' }).click()
  await page.getByRole('button', { name: 'Example Wallet' }).click()
  await expect(paymentDialog(page)).toContainText('for this purchase only')
  wallet.on('personal_sign', () => {
    throw new Rejects({ code: 4001, message: 'User rejected the request.' })
  })
  await paymentDialog(page).getByRole('button', { name: 'Sign in' }).click()
  await expect(paymentDialog(page)).toContainText('Cancelled. Nothing was signed')
  wallet.off('personal_sign')
  await paymentDialog(page).getByRole('button', { name: 'Sign in' }).click()
  await signButton(page).click()
  await expect(result(page).getByRole('img')).toBeVisible()

  await page.getByRole('button', { name: /^Run again/ }).click()
  await paymentDialog(page).getByRole('button', { name: 'Sign in' }).click()
  await expect(signButton(page)).toBeEnabled()
  await expect(result(page)).toContainText('a lighthouse without cookies')
  await paymentDialog(page).getByRole('button', { name: 'Cancel' }).click()
  expect([wallet.count('wallet_connect'), wallet.messages.length, wallet.signed.length]).toEqual([0, 2, 1])
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('session')
})

test('error: B12 the tab says how a purchase stands', async ({ page, wallet }) => {
  await openStudio(page)
  const looked = Promise.withResolvers<void>()
  await onPaidCall(page, async (route, _call, index) => {
    const running = stream(
      ['settled', { transaction: `0x${'ab'.repeat(32)}`, network: 'eip155:8453' }],
      ['running', { seconds: 60 }],
    )
    if (index === 0) return route.fulfill(running)
    await looked.promise
    return route.fulfill(stream(['result', outcome({ type: 'text', text: 'done' })]))
  })
  await goToReview(page)
  await signButton(page).click()
  await expect(page).toHaveTitle(/^Creating… · /)
  looked.resolve()
  await expect(result(page)).toContainText('done')
  await expect(page).toHaveTitle(/^Coinslot/)
  expect(wallet.signed).toHaveLength(1)
})
