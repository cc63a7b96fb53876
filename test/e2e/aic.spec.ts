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

test('default: AIC staked on the account page lowers prices by 10 %, and can be unstaked', async ({
  page,
  stackInfo,
}) => {
  test.setTimeout(120_000)
  await page.addInitScript(
    (address) => localStorage.setItem('coinslot.demo', address),
    stackInfo.buyers[HOLDER]?.address ?? '',
  )
  await page.goto('/account')
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /Demo wallet/ }).click()

  await page.getByRole('textbox', { name: 'Amount of AIC' }).fill('a lot')
  await page.getByRole('button', { name: 'Stake', exact: true }).click()
  await expect(page.getByText('Enter an amount, such as 1000 or 12.5.')).toBeVisible()

  await page.getByRole('textbox', { name: 'Amount of AIC' }).fill('1000')
  await page.getByRole('button', { name: 'Stake', exact: true }).click()
  await expect(page.getByText('Done.')).toBeVisible()
  // The server reads a wallet's stake at most every 30 seconds.
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('row', { name: /1,000 AIC yours 10 %/ })).toBeVisible({ timeout: 4000 })
  }).toPass({ timeout: 60_000 })

  await page.getByRole('textbox', { name: 'Amount of AIC' }).fill('1000')
  await page.getByRole('button', { name: 'Unstake' }).click()
  await expect(page.getByText(/^1,000 AIC unlocking, ready /)).toBeVisible()
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
  await expect(signButton(page)).toHaveText(/^Sign and pay [\d.]+ AIC$/)
  await expect(page.getByText(/^Your balance: [\d,.]+ AIC$/)).toBeVisible()
  await signButton(page).click()
  await expect(result(page)).toBeVisible()
  expect(staker.signed[0]?.domain.version).toBe('1')
  await expect(result(page).getByText(/^[\d.]+ AIC$/)).toBeVisible()
  await expect(page.getByText('50 % staking discount applied', { exact: false })).toBeVisible()
})
