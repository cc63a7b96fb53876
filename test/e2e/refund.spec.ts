import { cancelSale } from '../../dev/anvil/presale-play.ts'
import { newUser, test } from './support/own-stack.ts'
import { expect } from './support/site.ts'

test.use({ ending: 'refund' })

test('default: a buyer takes all USDC back from a cancelled sale, and the dashboard shows it', {
  tag: '@long',
}, async ({ page, context, stackInfo }) => {
  const wallet = await newUser(stackInfo)
  await wallet.install(context)
  const dashboard = await context.newPage()
  await dashboard.goto('/dashboard/')
  await page.goto('/presale/')
  await page.getByRole('button', { name: 'Example Wallet' }).click()
  await page.getByLabel('You pay, in USDC').fill('543.21')
  await page.getByRole('button', { name: 'Buy AIC' }).click()
  await expect(page.getByText('You hold 456.79 USDC.', { exact: false })).toBeVisible()
  await expect(dashboard.getByRole('row', { name: /543\.21/ }).first()).toBeVisible()

  await cancelSale(stackInfo)
  await expect(page.getByText('The sale was cancelled.', { exact: false })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Buy AIC' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Take 543.21 USDC back' }).click()
  await expect(page.getByText('Your USDC is back in your wallet.', { exact: false })).toBeVisible()
  await expect(page.getByText('This wallet bought nothing, or has its USDC back already.')).toBeVisible()
  await expect(dashboard.getByText('Cancelled, USDC is paid back')).toBeVisible()
  await expect(dashboard.getByText(/543\.21.* were paid back to buyers\./)).toBeVisible()
})
