import type { Page } from '@playwright/test'
import { encodeFunctionData, erc20Abi, type Hex, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import * as z from 'zod'
import { presaleAbi } from '../../contracts/abi/presale.ts'
import { deployerKey } from '../../dev/anvil/accounts.ts'
import { createRpc } from '../../dev/anvil/rpc.ts'
import { usdcAbi } from '../../dev/anvil/usdc.ts'
import { expectAccessibleInBoth } from './support/accessibility.ts'
import { expect, test } from './support/site.ts'
import type { StackInfo } from './support/stack-info.ts'

const PAGES = ['sale', 'treasury', 'token', 'roles', 'checklist'] as const
const GAS = 1_000_000n
const purchaseRows = (page: Page) => page.getByRole('region', { name: 'Purchases' }).locator('tbody tr')

/** A wallet that no other test uses buys AIC. */
async function buy({ rpcUrl, usdc, contracts }: StackInfo, amount: string): Promise<Hex> {
  const rpc = createRpc(rpcUrl)
  const buyer = privateKeyToAccount(generatePrivateKey()).address
  const presale = contracts['presale'] ?? '0x'
  const sum = parseUnits(amount, 6)
  await rpc.batch([
    { method: 'anvil_impersonateAccount', params: [buyer] },
    { method: 'anvil_setBalance', params: [buyer, '0xde0b6b3a7640000'] },
  ])
  const mint = encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [buyer, sum] })
  await rpc.transact([{ from: deployerKey().account.address, to: usdc, data: mint, gas: GAS }])
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [presale, sum] })
  const purchase = encodeFunctionData({ abi: presaleAbi, functionName: 'buy', args: [1n, sum] })
  await rpc.transact([{ from: buyer, to: usdc, data: approve, gas: GAS }])
  await rpc.transact([{ from: buyer, to: presale, data: purchase, gas: GAS }])
  return buyer
}

async function openDashboard(page: Page, name: (typeof PAGES)[number] = 'sale'): Promise<void> {
  await page.goto(`/dashboard/#/${name}`)
  await expect(page.locator('.status-line')).toContainText('Local chain, block ')
}

test('default: a purchase comes to the open dashboard by itself', async ({ page, stackInfo }) => {
  await openDashboard(page)
  await expect(page.locator('.tally')).toContainText('Open')
  const buyer = await buy(stackInfo, '123.45')
  const row = purchaseRows(page).filter({ hasText: '123.45' })
  await expect(row).toHaveCount(1)
  await expect(row).toContainText(`${buyer.slice(0, 6)}…${buyer.slice(-4)}`)
  await expect(row).toContainText('6,172.5')
  // The focus stays where it is when the next purchase arrives.
  await page.getByRole('button', { name: 'Save as CSV' }).focus()
  await buy(stackInfo, '67.89')
  await expect(purchaseRows(page).filter({ hasText: '67.89' })).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Save as CSV' })).toBeFocused()
})

test('default: the checklist compares the chain with the plan of the launch', async ({ page }) => {
  await openDashboard(page, 'checklist')
  const check = (name: string) => page.getByRole('row', { name: new RegExp(`^${name} `) })
  await expect(check('code of this build')).toContainText('Green')
  await expect(check('claims covered')).toContainText('Green')
  await expect(check('admin is a multisig')).toContainText('Red')
  for (const name of ['terms of the sale', 'routes', 'vesting', 'minted table', 'separate operators']) {
    await expect(check(name)).toContainText('Green')
  }
})

const callSchema = z.object({ method: z.string(), id: z.number(), params: z.array(z.unknown()).optional() })
const rangeSchema = z.object({ fromBlock: z.string(), toBlock: z.string() })

/** The page's node then refuses to search more than `most` blocks. */
async function limitBlocks(page: Page, most: number): Promise<void> {
  await page.route('**/dev/rpc', async (route) => {
    const body: unknown = route.request().postDataJSON()
    const refused = [body].flat().flatMap((one) => {
      const { method, id, params } = callSchema.parse(one)
      const range = method === 'eth_getLogs' ? rangeSchema.parse(params?.[0]) : null
      const isTooLarge = range !== null && Number(range.toBlock) - Number(range.fromBlock) + 1 > most
      return isTooLarge ? [{ jsonrpc: '2.0', id, error: { code: -32602, message: `max block range is ${most}` } }] : []
    })
    if (refused.length === 0) return route.continue()
    const response = await route.fetch()
    const answers = [await response.json()].flat()
    const all = answers.map((answer) => refused.find(({ id }) => id === answer.id) ?? answer)
    await route.fulfill({ response, json: Array.isArray(body) ? all : all[0] })
  })
}

test('behavior: all purchases are read from a node that allows 5 blocks a call', async ({ page, stackInfo }) => {
  await buy(stackInfo, '11.37')
  await limitBlocks(page, 5)
  await openDashboard(page)
  await expect(purchaseRows(page).filter({ hasText: '11.37' })).toHaveCount(1)
})

test('error: a node that does not answer is shown with the age of the figures, until it answers', async ({ page }) => {
  await openDashboard(page)
  const notice = page.getByText('The node does not answer', { exact: false })
  await page.route('**/dev/rpc', (route) => route.abort())
  await expect(notice).toBeVisible()
  await expect(notice).toContainText('The figures below are those of ')
  await expect(page.locator('.tally')).toContainText('Open')
  await page.unroute('**/dev/rpc')
  await expect(notice).toBeHidden()
})

test('behavior: no page has an accessibility violation, or is wider than a phone', async ({ page, stackInfo }) => {
  test.setTimeout(120_000)
  await buy(stackInfo, '20.01')
  await page.setViewportSize({ width: 360, height: 800 })
  for (const name of PAGES) {
    await openDashboard(page, name)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (name === 'checklist') await expect(page.locator('.check').first()).toBeVisible()
    if (name === 'roles') await expect(page.getByRole('row', { name: /^Presale / })).toBeVisible()
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect([name, overflow]).toEqual([name, 0])
    await expectAccessibleInBoth(page, name)
  }
})
