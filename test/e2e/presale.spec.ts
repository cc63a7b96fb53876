import type { Browser, Page } from '@playwright/test'
import { toFunctionSelector, toHex } from 'viem'
import * as z from 'zod'
import { beginClaims, endSale, sellOut } from '../../dev/anvil/presale-play.ts'
import { createRpc } from '../../dev/anvil/rpc.ts'
import { messages as ar } from '../../web/landing/src/messages/ar.ts'
import { messages as en } from '../../web/landing/src/messages/en.ts'
import { expectAccessibleInBoth } from './support/accessibility.ts'
import { newUser, test } from './support/own-stack.ts'
import { expect, openStudio, payButton, paymentDialog, promptBox, result, signButton } from './support/site.ts'
import type { StackInfo } from './support/stack-info.ts'
import { Rejects, type TestWallet } from './support/test-wallet.ts'

test.describe.configure({ mode: 'serial' })

/** Of the local chain. */
const COOLING_OFF_SECONDS = 60

const callsSchema = z.tuple([z.object({ calls: z.array(z.object({ to: z.string(), data: z.string() })) })])

/** The wallet then does several calls in one prompt. */
function sendBatches(wallet: TestWallet, { chainId, rpcUrl }: StackInfo): void {
  const rpc = createRpc(rpcUrl)
  wallet.on('wallet_getCapabilities', () => ({ [toHex(chainId)]: { atomic: { status: 'supported' } } }))
  wallet.on('wallet_sendCalls', async (params) => {
    const [{ calls }] = callsSchema.parse(params)
    for (const call of calls) await rpc.call('eth_sendTransaction', { from: wallet.account.address, ...call })
    return { id: '0xba7c' }
  })
  wallet.on('wallet_getCallsStatus', () => ({ status: 200, receipts: [{ status: '0x1' }] }))
}

const amount = (page: Page) => page.getByLabel('You pay, in USDC')
const buyButton = (page: Page) => page.getByRole('button', { name: 'Buy AIC' })

async function connect(page: Page): Promise<void> {
  await page.goto('/presale/')
  await page.getByRole('button', { name: 'Example Wallet' }).click()
  await expect(page.getByText('You hold 1,000.00 USDC.', { exact: false })).toBeVisible()
}

test('behavior: amounts that the contract would refuse are not offered', async ({ page, context, stackInfo }) => {
  const wallet = await newUser(stackInfo)
  await wallet.install(context)
  await connect(page)
  for (const [written, words] of [
    ['1,5', 'Enter an amount such as 250 or 250.50.'],
    ['9', 'The smallest purchase is 10.00 USDC.'],
    ['1000.01', 'You hold 1,000.00 USDC.'],
    ['50001', 'This wallet can spend 50,000.00 USDC more'],
    ['60000.01', 'This phase has 3,000,000 AIC left.'],
  ] as const) {
    await amount(page).fill(written)
    await expect(page.locator('#gets')).toContainText(words)
    await expect(buyButton(page)).toBeDisabled()
  }
  await amount(page).fill('250')
  await expect(page.locator('#gets')).toHaveText('You get 12,500 AIC')
  await expectAccessibleInBoth(page, 'the sale')
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await page.goto('/presale/token')
  await expect(page.getByRole('row', { name: /Marketing vault 0x/ })).toBeVisible()
  await expectAccessibleInBoth(page, 'the sale')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

test('default: in Arabic a wallet without batches pays with a permit, or approves first', async ({
  page,
  context,
  stackInfo,
}) => {
  const wallet = await newUser(stackInfo)
  await wallet.install(context)
  await page.goto('/presale/ar/')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(page).toHaveTitle(ar.title(ar.nav.sale))
  await page.getByRole('button', { name: 'Example Wallet' }).click()
  const buy = async (): Promise<void> => {
    await page.getByLabel(ar.form.usdc).fill('20')
    await page.getByRole('button', { name: ar.form.buy }).click()
  }
  wallet.on('eth_signTypedData_v4', () => {
    throw new Rejects({ code: 4001, message: 'User rejected the request.' })
  })
  await buy()
  await expect(page.getByText(ar.troubles.rejected)).toBeVisible()
  wallet.off('eth_signTypedData_v4')
  await buy()
  await expect(page.getByText(ar.form.done, { exact: false })).toBeVisible()
  expect(wallet.signed.map(({ primaryType }) => primaryType)).toEqual(['Permit'])
  expect(wallet.count('eth_sendTransaction')).toBe(1)
  wallet.on('eth_signTypedData_v4', () => {
    throw new Rejects({ code: -32601, message: 'not supported' })
  })
  await buy()
  await expect(page.getByText(ar.form.balance('960.00'), { exact: false })).toBeVisible()
  expect(wallet.count('eth_sendTransaction')).toBe(3)
  wallet.on('eth_getBalance', () => '0x0')
  await buy()
  await expect(page.getByText(ar.ends.no_ether)).toBeVisible()
  expect(wallet.count('eth_sendTransaction')).toBe(3)
})

test('error: fault 18 a node that does not answer is said above the figures and at the form', async ({
  page,
  context,
  stackInfo,
}) => {
  await (await newUser(stackInfo)).install(context)
  await connect(page)
  await page.route('**/dev/rpc', (route) => route.abort())
  await expect(page.getByText(en.unreachable)).toHaveCount(2)
  await expect(page.locator('.buy-form').getByText(en.unreachable)).toBeVisible()
  await page.unroute('**/dev/rpc')
  await expect(page.getByText(en.unreachable)).toHaveCount(0)
})

const rpcCallSchema = z.object({ method: z.string(), id: z.number(), params: z.array(z.unknown()).optional() })

/** The page's node then refuses to search logs, and to answer how the vault shares its USDC. */
async function refuseSome(page: Page): Promise<void> {
  const routes = toFunctionSelector('routes()')
  await page.route('**/dev/rpc', async (route) => {
    const calls = z.array(rpcCallSchema).parse(route.request().postDataJSON())
    const response = await route.fetch()
    const answers = z.array(z.looseObject({ id: z.number() })).parse(await response.json())
    const refused = calls.filter(
      ({ method, params }) => method === 'eth_getLogs' || JSON.stringify(params ?? []).includes(routes),
    )
    const json = answers.map((answer) => {
      if (!refused.some(({ id }) => id === answer.id)) return answer
      return { jsonrpc: '2.0', id: answer.id, error: { code: -32601, message: 'not on this plan' } }
    })
    await route.fulfill({ response, json })
  })
}

test('error: what the node refuses is said, and the figures are shown', async ({ page }) => {
  const unread = page.getByText('This part could not be read from the node.', { exact: false })
  await refuseSome(page)
  await page.goto('/presale/token')
  await expect(page.getByRole('row', { name: /Claim module 0x/ })).toBeVisible()
  // The addresses, and the rules, which say times of the chain.
  await expect(unread).toHaveCount(2)
  await page.goto('/presale/')
  await expect(page.getByText('Phase 1 is open')).toBeVisible()
  // How the AIC becomes free with where the USDC goes, and the latest purchases.
  await expect(unread).toHaveCount(2)
  await expect(page.getByText('The node does not answer.', { exact: false })).toHaveCount(0)
  await page.unroute('**/dev/rpc')
  await expect(unread).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Where the USDC goes' })).toBeVisible()
})

/** Another buyer pays for 20 USDC, in a browser. */
async function buyBeside(browser: Browser, stackInfo: StackInfo): Promise<Page> {
  const context = await browser.newContext()
  await (await newUser(stackInfo)).install(context)
  const page = await context.newPage()
  await connect(page)
  await amount(page).fill('20')
  await buyButton(page).click()
  await expect(page.getByText('You have 1,000 AIC for 20.00 USDC.')).toBeVisible()
  return page
}

/** That person changes their mind in the cooling-off: asked once, they have all USDC back. */
async function leave(page: Page): Promise<void> {
  await expect(page.getByText('you can take your USDC back', { exact: false }).first()).toBeVisible()
  await page.getByRole('button', { name: en.refund.button('20.00') }).click()
  await page.getByRole('button', { name: en.refund.sure }).click()
  await expect(page.getByText(en.refund.done)).toBeVisible()
  await expect(page.getByText(en.refund.nothing)).toBeVisible()
}

test('default: a new user buys in one prompt, claims, stakes, and gets a discount', async ({
  page,
  context,
  browser,
  stackInfo,
}) => {
  test.setTimeout(180_000)
  const wallet = await newUser(stackInfo)
  sendBatches(wallet, stackInfo)
  await wallet.install(context)

  const dashboard = await context.newPage()
  await dashboard.goto('/dashboard/')
  await connect(page)
  await amount(page).fill('543.21')
  await buyButton(page).click()
  await expect(page.getByText('Done. Your AIC is reserved', { exact: false })).toBeVisible()
  expect(wallet.count('wallet_sendCalls')).toBe(1)
  expect([wallet.count('eth_sendTransaction'), wallet.signed.length]).toEqual([0, 0])
  await expect(dashboard.getByRole('row', { name: /543\.21/ }).first()).toBeVisible({ timeout: 15_000 })
  await expect(page.getByText('You have 27,160.5 AIC for 543.21 USDC.')).toBeVisible()
  const other = await buyBeside(browser, stackInfo)

  await sellOut(stackInfo)
  await expect(page.getByText(/^All is sold\. The sale ends/)).toBeVisible()
  await endSale(stackInfo)
  await leave(other)
  await expect(dashboard.getByText('20.00 USDC were paid back to buyers.')).toBeVisible({ timeout: 15_000 })
  await dashboard.close()
  await other.context().close()
  await expect(page.getByRole('button', { name: en.refund.button('543.21') })).toBeVisible()
  await endSale(stackInfo, COOLING_OFF_SECONDS)
  await expect(page.getByRole('button', { name: 'Finish the sale' })).toBeVisible()
  await expect(page.getByRole('button', { name: en.refund.button('543.21') })).toBeVisible()
  await expect(page.getByText('Left in this phase')).toHaveCount(0)
  // A buyer who comes to claim can finish the sale there, too.
  await page.getByRole('link', { name: 'Claim', exact: true }).click()
  await expect(page.getByText('The sale is over and reached its soft cap.')).toBeVisible()
  await page.getByRole('button', { name: 'Finish the sale' }).click()
  await expect(page.getByText(/^Claims begin [A-Z]/).first()).toBeVisible()
  await page.getByRole('link', { name: 'Sale', exact: true }).click()
  await page.getByRole('link', { name: 'Claim your AIC' }).click()
  await expect(page.getByText(/^Claims begin [A-Z]/).first()).toBeVisible()
  // The notice of a minute is waited for.
  await beginClaims(stackInfo)
  const claim = page.getByRole('button', { name: /^Claim [\d,.]+ AIC$/ })
  // A tenth of 27,160.5 AIC at once. On this chain the rest begins to become free a minute later.
  expect(Number((await claim.textContent())?.replaceAll(/[^\d.]/g, ''))).toBeGreaterThanOrEqual(2_716.05)
  await claim.click()
  await expect(page.getByText('The AIC is in your wallet.', { exact: false })).toBeVisible()
  await expectAccessibleInBoth(page, 'the sale')

  await page.goto('/account')
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await paymentDialog(page).getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('textbox', { name: 'Amount of AIC: stake' }).fill('1000')
  await page.getByRole('button', { name: 'Stake', exact: true }).click()
  await expect(page.getByRole('row', { name: /1,000 AIC yours 10%/ })).toBeVisible()
  // The service reads a stake again after 30 seconds.
  const account = async (): Promise<string> => (await page.request.get('/api/account')).text()
  await expect.poll(account, { timeout: 45_000, intervals: [1_000] }).toMatch(/"discountPct":"?10\b/)
  await openStudio(page)
  await promptBox(page).fill('a lighthouse made of coins')
  await payButton(page).click()
  await signButton(page).click()
  await expect(result(page)).toBeVisible()
  await expect(page.getByText('10% staking discount applied', { exact: false })).toBeVisible()
})
