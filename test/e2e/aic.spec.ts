import {
  expect,
  openStudio,
  payButton,
  paymentDialog,
  promptBox,
  result,
  signButton,
  test,
  walletOptions,
} from './support/site.ts'
import { TestWallet } from './support/test-wallet.ts'

// Buyers of the local chain: the fourth has staked enough for half the price, the fifth has 1,500 AIC and no stake.
const STAKER = 3
const HOLDER = 4

test('default: AIC on the account page is staked, unstaked and wrapped, shown at once', async ({ page, stackInfo }) => {
  test.setTimeout(120_000)
  await page.addInitScript(
    (address) => localStorage.setItem('coinslot.demo', address),
    stackInfo.buyers[HOLDER]?.address ?? '',
  )
  await page.goto('/account')
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /Demo wallet/ }).click()

  const amount = page.getByRole('textbox', { name: 'Amount of AIC: stake' })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  for (const [written, words] of [
    ['1,5', 'Enter an amount, such as 1000 or 12.5'],
    ['a lot', 'Enter an amount, such as 1000 or 12.5'],
    ['2000000', 'That is more than there is: '],
  ] as const) {
    await amount.fill(written)
    await press('Stake')
    await expect(page.getByText(words, { exact: false })).toBeVisible()
  }

  const sent: string[] = []
  page.on('request', (request) => {
    if (request.postData()?.includes('eth_sendRawTransaction')) sent.push(request.url())
  })
  await amount.fill('1000')
  await press('Stake')
  await expect(page.getByText('Done.', { exact: false })).toBeVisible()
  // The wallet signed a permit, so no transaction for an approval came first.
  expect(sent).toHaveLength(1)
  // The figures and the tier of the own transaction are shown at once, also after a reload.
  await expect(page.getByRole('row', { name: /1,000 AIC yours 10%/ })).toBeVisible({ timeout: 15_000 })
  await page.reload()
  await expect(page.getByRole('row', { name: /1,000 AIC yours 10%/ })).toBeVisible({ timeout: 15_000 })

  await page.getByRole('button', { name: /^Max to unstake: / }).click()
  await expect(amount).toHaveValue('1000')
  await press('Unstake')
  await expect(page.getByText(/^1,000\sAIC unlocking, ready /)).toBeVisible()
  await expect(page.getByText('If you unstake more, that amount has its own wait.', { exact: false })).toBeVisible()

  const wrapped = page.locator('dt', { hasText: 'Wrapped AIC' }).locator('+ dd')
  const before = Number((await wrapped.textContent())?.replaceAll(',', ''))
  await page.getByRole('textbox', { name: 'Amount of AIC: wrap' }).fill('100')
  await press('Wrap')
  await expect(wrapped).toHaveText(new RegExp(`^${(before + 100).toLocaleString('en')}$`))
  await page.getByRole('textbox', { name: 'Amount of AIC: wrap' }).fill('100')
  await press('Unwrap')
  await expect(wrapped).toHaveText(new RegExp(`^${before.toLocaleString('en')}$`))
})

test('default: a purchase paid in AIC costs the price shown, with the staking discount', async ({
  page,
  context,
  stackInfo,
}) => {
  const staker = new TestWallet(walletOptions(stackInfo, { key: stackInfo.buyers[STAKER]?.privateKey ?? '0x' }))
  await staker.install(context)
  await openStudio(page)
  await promptBox(page).fill('a coin in its slot')
  await payButton(page).click()
  await page.getByRole('button', { name: 'Example Wallet' }).click()
  await paymentDialog(page).getByRole('button', { name: 'Sign in' }).click()
  await paymentDialog(page).getByRole('radio', { name: /AIC/ }).check()
  await expect(signButton(page)).toHaveText(/^Sign and pay [\d.]+\sAIC$/)
  await expect(page.getByText(/^Your balance: [\d,.]+\swrapped AIC\. After this: /)).toBeVisible()
  await signButton(page).click()
  await expect(result(page)).toBeVisible()
  expect(staker.signed[0]?.domain.version).toBe('1')
  await expect(result(page).getByText(/^[\d.]+\sAIC$/)).toBeVisible()
  await expect(page.getByText('50% staking discount applied', { exact: false })).toBeVisible()
})
