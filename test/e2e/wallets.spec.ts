import type { Page } from '@playwright/test'
import { generatePrivateKey } from 'viem/accounts'
import {
  expect,
  goToReview,
  onPaidCall,
  openStudio,
  payButton,
  paymentDialog,
  placesOf,
  promptBox,
  signButton,
  signIn,
  test,
  walletOptions,
} from './support/site.ts'
import { Rejects, TestWallet } from './support/test-wallet.ts'

test('behavior: a wallet announced three times and injected as well is listed once', async ({
  page,
  context,
  stackInfo,
}) => {
  const wallet = new TestWallet(walletOptions(stackInfo, { key: generatePrivateKey(), shows: 'both' }))
  await wallet.install(context)
  const late = new TestWallet(
    walletOptions(stackInfo, {
      key: generatePrivateKey(),
      shows: 'late',
      rdns: 'io.example.late',
      name: 'Late Wallet',
    }),
  )
  await late.install(context)
  await openStudio(page)
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByRole('button', { name: 'Example Wallet' })).toHaveCount(1)
  // A wallet that appears late moves none of those that are there.
  const entries = ['Example Wallet', 'Demo wallet'].map((name) => page.locator('.wallet', { hasText: name }))
  const before = await placesOf(page, entries)
  await page.evaluate(() => window.dispatchEvent(new Event('test-announce')))
  await page.evaluate(() => window.dispatchEvent(new Event('test-announce')))
  await expect(page.getByRole('button', { name: 'Late Wallet' })).toHaveCount(1)
  await expect(page.locator('.wallets li').last()).toContainText('Late Wallet')
  expect(await placesOf(page, entries)).toEqual(before)
  await expect(page.getByRole('button', { name: 'Example Wallet' })).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Browser wallet' })).toHaveCount(0)
})

test('behavior: a bare window.ethereum is offered, and works', async ({ page, context, stackInfo }) => {
  const wallet = new TestWallet(walletOptions(stackInfo, { key: generatePrivateKey(), shows: 'injected' }))
  await wallet.install(context)
  await openStudio(page)
  await signIn(page, 'Browser wallet')
  expect(wallet.messages).toHaveLength(1)
})

test('behavior: the wallet of the last visit reconnects without a prompt', async ({ page, wallet }) => {
  await openStudio(page)
  await goToReview(page)
  const asked = wallet.count('eth_requestAccounts')
  await page.reload()
  await expect(page.getByRole('button', { name: /^Wallet 0x/ })).toBeVisible()
  await promptBox(page).fill('again')
  await payButton(page).click()
  await expect(signButton(page)).toBeEnabled()
  expect(wallet.count('eth_requestAccounts')).toBe(asked)
  expect(wallet.messages).toHaveLength(1)
})

test('behavior: signing out while the page is left ends the session', async ({ page, wallet }) => {
  await openStudio(page)
  await goToReview(page)
  expect(wallet.messages).toHaveLength(1)
  const session = async () => (await (await page.request.get('/api/auth/session')).json()).address ?? null
  expect(await session()).not.toBeNull()
  await page.evaluate(() => {
    document.querySelector<HTMLButtonElement>('#wallet-menu button')?.click()
    location.assign('/models')
  })
  await page.waitForURL('**/models')
  await expect.poll(session).toBeNull()
})

test('behavior: a wallet prompt that is already open is named, and approving it continues', async ({
  page,
  wallet,
}) => {
  wallet.on('eth_requestAccounts', () => {
    throw new Rejects({ code: -32002, message: 'Request already pending' })
  })
  await openStudio(page)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('button', { name: 'Example Wallet' }).click()
  await expect(page.getByText('Open your wallet: a request is waiting there.')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('button', { name: 'Example Wallet' }).click()
  await expect(page.getByText('Open your wallet: a request is waiting there.')).toBeVisible()
  await wallet.emit(page, 'accountsChanged', [wallet.account.address])
  await expect(paymentDialog(page).getByRole('button', { name: 'Sign in' })).toBeEnabled()
})

const REFUSALS: [string, unknown][] = [
  ['code 4001', { code: 4001, message: 'User rejected the request.' }],
  ['code -32603 in the message', { code: -32603, message: 'User rejected the request' }],
  ['ACTION_REJECTED', { code: 'ACTION_REJECTED', message: 'user rejected transaction' }],
  ['code 5000', { code: 5000, message: 'User rejected methods.' }],
  ['message only', { message: 'Request declined' }],
  ['a bare string', 'User cancelled'],
]

test('behavior: a refusal in any form shows a notice, keeps the prompt and pays nothing', async ({ page, wallet }) => {
  await openStudio(page)
  const paid = await onPaidCall(page, (route) => route.continue())
  await goToReview(page, 'keep these words')
  for (const [, refusal] of REFUSALS) {
    wallet.on('eth_signTypedData_v4', () => {
      throw new Rejects(refusal)
    })
    await signButton(page).click()
    await expect(page.getByText('Cancelled. Nothing was signed, and your prompt is still here.')).toBeVisible()
    await expect(signButton(page)).toBeEnabled()
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
  await paymentDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(promptBox(page)).toHaveValue('keep these words')
  await expect(payButton(page)).toBeEnabled()
  expect(paid).toEqual([])
})

const FAILURES: [unknown, string][] = [
  [{ code: -32603, message: 'Ledger device: busy' }, 'The wallet said: “Ledger device: busy”. Nothing was signed.'],
  ['boom', 'The wallet said: “boom”. Nothing was signed.'],
  [{}, 'The wallet reported an error. Nothing was signed.'],
]

test('error: a wallet that fails to sign is not shown as cancelled, and pays nothing', async ({ page, wallet }) => {
  await openStudio(page)
  const paid = await onPaidCall(page, (route) => route.continue())
  await goToReview(page)
  for (const [failure, words] of FAILURES) {
    wallet.on('eth_signTypedData_v4', () => {
      throw new Rejects(failure)
    })
    await signButton(page).click()
    await expect(page.getByText(words)).toBeVisible()
    await expect(signButton(page)).toBeEnabled()
  }
  expect(paid).toEqual([])
})

const UNKNOWN_CHAIN: [string, unknown][] = [
  ['code 4902', { code: 4902, message: 'Unrecognized chain ID' }],
  ['nested', { code: -32603, message: 'Internal error', data: { originalError: { code: 4902 } } }],
  ['localised, without a code', { code: -32603, message: 'Unbekannte Kette' }],
  ['a code that is null', { code: null, message: 'Chain not added' }],
  ['success without a change', null],
]

for (const [form, refusal] of UNKNOWN_CHAIN) {
  test(`behavior: an unknown chain (${form}) is added, and nothing is signed on another chain`, async ({
    page,
    wallet,
    stackInfo,
  }) => {
    await openStudio(page)
    const paid = await onPaidCall(page, (route) => route.continue())
    await goToReview(page)
    wallet.chainId = 10
    wallet.on('wallet_switchEthereumChain', () => {
      if (refusal === null) return null
      throw new Rejects(refusal)
    })
    wallet.on('wallet_addEthereumChain', () => null)
    await signButton(page).click()
    await expect(page.getByText('The wallet is still on another network. Nothing was signed.')).toBeVisible()
    const added = wallet.requests.find(({ method }) => method === 'wallet_addEthereumChain')
    expect(added?.params[0]).toMatchObject({ chainId: `0x${stackInfo.chainId.toString(16)}` })
    expect(wallet.signed).toEqual([])

    wallet.on('wallet_addEthereumChain', () => {
      wallet.chainId = stackInfo.chainId
      return null
    })
    await signButton(page).click()
    await expect.poll(() => paid.length).toBe(1)
    expect(wallet.signed).toHaveLength(1)
  })
}

test('behavior: an account change before the signature cancels the payment', async ({ page, wallet, stackInfo }) => {
  await openStudio(page)
  const paid = await onPaidCall(page, (route) => route.continue())
  await goToReview(page)
  const second = new TestWallet(walletOptions(stackInfo, { key: generatePrivateKey() })).account
  wallet.on('eth_signTypedData_v4', async (params) => {
    wallet.accounts = () => [second.address]
    await wallet.emit(page, 'accountsChanged', [])
    await wallet.emit(page, 'accountsChanged', [second.address])
    return wallet.answer('eth_signTypedData_v4', params)
  })
  await signButton(page).click()
  await expect(
    page.getByText('The wallet’s account changed, so the payment was cancelled.', { exact: false }),
  ).toBeVisible()
  await expect(paymentDialog(page)).toBeHidden()
  await expect(promptBox(page)).toHaveValue('a red bicycle by the sea')
  expect(paid).toEqual([])
  // The session of the first account ends. The second account must sign in before its purchase.
  await payButton(page).click()
  await expect(paymentDialog(page).getByRole('button', { name: 'Sign in' })).toBeEnabled()
  await expect(paymentDialog(page)).toContainText(second.address)
})

test('behavior: wallet events without a change do not sign out', async ({ page, wallet, stackInfo }) => {
  await openStudio(page)
  await goToReview(page)
  await paymentDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: /^Wallet 0x/ })).toBeVisible()
  await wallet.emit(page, 'connect', { chainId: '0x7a69' })
  await wallet.emit(page, 'chainChanged', `0x${stackInfo.chainId.toString(16)}`)
  await wallet.emit(page, 'accountsChanged', [wallet.account.address.toLowerCase()])
  await promptBox(page).fill('still here')
  await payButton(page).click()
  await expect(signButton(page)).toBeEnabled()
  expect(wallet.messages).toHaveLength(1)
})

test('behavior: sign-in text: a one-line statement, an EIP-55 address, a decimal chain', async ({
  page,
  wallet,
  stackInfo,
}) => {
  wallet.accounts = () => [wallet.account.address.toLowerCase()]
  await openStudio(page)
  await goToReview(page)
  const lines = wallet.messages[0]?.split('\n') ?? []
  expect(lines[0]).toBe(`${new URL(stackInfo.origin).host} wants you to sign in with your Ethereum account:`)
  expect(lines[1]).toBe(wallet.account.address)
  expect(lines[2]).toBe('')
  expect(lines[3]).not.toBe('')
  expect(lines[4]).toBe('')
  expect(lines[5]).toBe(`URI: ${stackInfo.origin}`)
  expect(lines).toContain(`Chain ID: ${stackInfo.chainId}`)
  expect(await page.evaluate(() => document.cookie)).not.toContain('session')
})

test('error: a locked wallet is called locked, before the signature and when it connects', async ({ page, wallet }) => {
  const locked = page.getByText('Your wallet is locked, or it shares no account.', { exact: false })
  await openStudio(page)
  wallet.accounts = () => []
  await payFor(page, 'a lock')
  await expect(locked).toBeVisible()
  wallet.accounts = null
  await page.getByRole('button', { name: 'Example Wallet' }).click()
  await paymentDialog(page).getByRole('button', { name: 'Sign in' }).click()
  await expect(signButton(page)).toBeEnabled()

  wallet.accounts = () => []
  await signButton(page).click()
  await expect(locked).toBeVisible()
  await expect(signButton(page)).toBeEnabled()
  expect(wallet.signed).toEqual([])

  await wallet.emit(page, 'accountsChanged', [])
  await expect(paymentDialog(page)).toBeHidden()
  await expect(locked).toBeVisible()
  await payButton(page).click()
  await expect(page.getByRole('button', { name: 'Example Wallet' })).toBeVisible()
})

/** Writes a prompt, presses Pay and chooses the wallet. */
async function payFor(page: Page, prompt: string): Promise<void> {
  await promptBox(page).fill(prompt)
  await payButton(page).click()
  await page.getByRole('button', { name: 'Example Wallet' }).click()
}

test('behavior: two wallets of one name show their ids', async ({ page, context, stackInfo, wallet }) => {
  const twin = walletOptions(stackInfo, { key: generatePrivateKey(), rdns: 'io.example.twin' })
  await new TestWallet(twin).install(context)
  await openStudio(page)
  await page.getByRole('button', { name: 'Connect' }).click()
  for (const id of ['io.example.wallet', 'io.example.twin']) {
    await expect(page.getByRole('button', { name: `Example Wallet ${id}` })).toBeVisible()
  }
  expect(wallet.requests.filter(({ method }) => method === 'eth_requestAccounts')).toEqual([])
})
