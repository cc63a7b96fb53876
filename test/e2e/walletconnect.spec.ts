import { generatePrivateKey } from 'viem/accounts'
import { Relay } from './support/relay.ts'
import { RemoteWallet } from './support/remote-wallet.ts'
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
import { Rejects, TestWallet } from './support/test-wallet.ts'

test('default: a wallet on another device connects, signs in, pays, reconnects and leaves', async ({
  page,
  stackInfo,
}, info) => {
  const buyer = stackInfo.buyers[info.parallelIndex % stackInfo.buyers.length]
  const phone = new TestWallet(walletOptions(stackInfo, { key: buyer?.privateKey ?? generatePrivateKey() }))
  const relay = new Relay()
  const relayUrl = await relay.listen()
  const remote = await RemoteWallet.open(relayUrl, phone)
  await page.route('/dev/stack.json', async (route) => {
    const facts: unknown = await (await route.fetch()).json()
    await route.fulfill({ json: { ...Object(facts), walletConnect: { projectId: 'test', relayUrl } } })
  })
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  const packages = () => loaded.filter((url) => url.includes('walletconnect-provider'))

  await openStudio(page)
  await promptBox(page).fill('a phone on a table')
  await payButton(page).click()
  await expect(page.getByRole('button', { name: 'WalletConnect' })).toBeVisible()
  expect(packages()).toEqual([])
  await page.getByRole('button', { name: 'WalletConnect' }).click()
  await expect(page.getByRole('img', { name: 'QR code: connects a wallet' })).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the connection link' }).click()
  await remote.pair(await page.evaluate(() => navigator.clipboard.readText()))

  await paymentDialog(page).getByRole('button', { name: 'Sign in' }).click()
  await expect(signButton(page)).toBeEnabled()
  expect(phone.messages).toHaveLength(1)

  phone.on('eth_signTypedData_v4', () => {
    throw new Rejects({ code: 4001, message: 'User rejected the request.' })
  })
  await signButton(page).click()
  await expect(page.getByText('Cancelled. Nothing was signed, and your prompt is still here.')).toBeVisible()
  phone.off('eth_signTypedData_v4')
  await signButton(page).click()
  await expect(result(page)).toBeVisible()
  expect(phone.signed).toHaveLength(1)

  await page.reload()
  await page.getByRole('button', { name: /^Wallet 0x/ }).click()
  expect(remote.sessions()).toBe(1)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect.poll(() => remote.sessions()).toBe(0)
  await remote.close()
  await relay.close()
})
