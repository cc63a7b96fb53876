import { concat, type Hex, pad, parseEther, toHex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import * as z from 'zod'
import { createRpc } from '../../dev/anvil/rpc.ts'
import { giveAic, mintUsdc, setCode, walletAt, walletCode } from '../helpers/contract-wallets.ts'
import {
  expect,
  openStudio,
  payButton,
  paymentDialog,
  promptBox,
  result,
  signButton,
  signIn,
  test,
  walletOptions,
} from './support/site.ts'
import type { StackInfo } from './support/stack-info.ts'
import { Rejects, TestWallet } from './support/test-wallet.ts'

const connectSchema = z.tuple([
  z.object({
    capabilities: z.object({
      signInWithEthereum: z.object({
        nonce: z.string(),
        chainId: z.string(),
        domain: z.string(),
        uri: z.string(),
        statement: z.string(),
        issuedAt: z.string(),
      }),
    }),
  }),
])

/** The message that a wallet writes for the site's `wallet_connect`. */
function messageFor(params: unknown[], address: Hex): string {
  const [{ capabilities }] = connectSchema.parse(params)
  const { chainId, issuedAt, ...asked } = capabilities.signInWithEthereum
  return createSiweMessage({
    ...asked,
    address,
    version: '1',
    chainId: Number(chainId),
    issuedAt: new Date(issuedAt),
  })
}

/** As long as a signature of a passkey, with its authenticator data. */
const PASSKEY_SIGNATURE = concat([pad('0x01', { size: 32 }), toHex('x'.repeat(600))])
const callsSchema = z.tuple([z.object({ calls: z.array(z.object({ to: z.string(), data: z.string() })) })])

/** A contract's wallet with USDC and AIC, whose owner signs with a passkey, and which connects, signs in and batches in one. */
async function passkeyWallet(stackInfo: StackInfo): Promise<TestWallet> {
  const rpc = createRpc(stackInfo.rpcUrl)
  const address = walletAt(0xe2e, 1)
  await setCode(rpc, address, walletCode.honest)
  await rpc.call('anvil_setBalance', address, toHex(parseEther('1')))
  await mintUsdc(rpc, stackInfo.usdc, 1_000_000n, [address])
  await giveAic(rpc, address, parseEther('1000'))
  await rpc.call('anvil_impersonateAccount', address)

  const wallet = new TestWallet(
    walletOptions(stackInfo, { key: generatePrivateKey(), rdns: 'io.example.passkey', name: 'Passkey Wallet' }),
  )
  wallet.accounts = () => [address]
  wallet.on('wallet_connect', async (params) => {
    await wallet.answer('eth_requestAccounts', [])
    const signed = { message: messageFor(params, address), signature: PASSKEY_SIGNATURE }
    return { accounts: [{ address, capabilities: { signInWithEthereum: signed } }] }
  })
  wallet.on('eth_signTypedData_v4', () => PASSKEY_SIGNATURE)
  wallet.on('wallet_getCapabilities', () => ({ [toHex(stackInfo.chainId)]: { atomic: { status: 'supported' } } }))
  wallet.on('wallet_sendCalls', async (params) => {
    const [{ calls }] = callsSchema.parse(params)
    for (const call of calls) await rpc.call('eth_sendTransaction', { from: address, ...call })
    return { id: '0xba7c' }
  })
  wallet.on('wallet_getCallsStatus', () => ({ status: 200, receipts: [{ status: '0x1' }] }))
  return wallet
}

test('default: a passkey wallet connects and signs in at once, pays, and stakes in one batch', async ({
  page,
  context,
  stackInfo,
}) => {
  const wallet = await passkeyWallet(stackInfo)
  await wallet.install(context)
  await openStudio(page)
  await promptBox(page).fill('a key on a table')
  await payButton(page).click()
  await page.getByRole('button', { name: 'Passkey Wallet' }).click()
  await expect(signButton(page)).toBeEnabled()
  expect(wallet.messages).toEqual([])
  await signButton(page).click()
  await expect(result(page)).toBeVisible()

  await page.goto('/account')
  const amount = page.getByRole('textbox', { name: 'Amount of AIC: stake' })
  await amount.fill('1000')
  await page.getByRole('button', { name: 'Stake', exact: true }).click()
  await expect(page.getByText('Done.', { exact: false })).toBeVisible()
  await expect(page.getByRole('row', { name: /1,000 AIC yours 10%/ })).toBeVisible()
  expect(wallet.count('wallet_sendCalls')).toBe(1)
  expect(wallet.count('eth_sendTransaction')).toBe(0)
})

/** Answers of wallets to `wallet_connect` that cannot be used for a sign-in. */
const UNUSABLE: [string, (params: unknown[], address: Hex) => unknown][] = [
  [
    'does not know the method',
    () => {
      throw new Rejects({ code: -32601, message: 'The method is refused' })
    },
  ],
  ['answers nothing of use', () => ({ accounts: 'all' })],
  ['shares an account only', (_, address) => ({ accounts: [{ address }] })],
  [
    'signs another nonce',
    (params, address) => {
      const message = messageFor(params, address).replace(/Nonce: \w+/, 'Nonce: 12345678901234567')
      return { accounts: [{ address, capabilities: { signInWithEthereum: { message, signature: '0x00' } } }] }
    },
  ],
  [
    'sends a wrong signature',
    (params, address) => {
      const message = messageFor(params, address)
      const signature = `0x${'1b'.repeat(65)}`
      return { accounts: [{ address, capabilities: { signInWithEthereum: { message, signature } } }] }
    },
  ],
]

test('behavior: a wallet whose wallet_connect is of no use connects, then signs in', async ({ page, wallet }) => {
  for (const [, answer] of UNUSABLE) {
    const before = wallet.messages.length
    wallet.on('wallet_connect', async (params) => {
      await wallet.answer('eth_requestAccounts', [])
      return answer(params, wallet.account.address)
    })
    await page.goto('/')
    await signIn(page)
    expect(wallet.messages).toHaveLength(before + 1)
    await page.getByRole('button', { name: /^Wallet 0x/ }).click()
    const signedOut = page.waitForResponse('**/api/auth/logout')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signedOut
  }
})

test('behavior: a rejected wallet_connect asks nothing more, a silent one the older way', async ({ page, wallet }) => {
  wallet.on('wallet_connect', () => {
    throw new Rejects({ code: 4001, message: 'User rejected the request.' })
  })
  await openStudio(page)
  const choose = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('button', { name: 'Example Wallet' }).click()
  }
  await choose()
  await expect(page.getByText('Cancelled in the wallet. Nothing happened.')).toBeVisible()
  expect(wallet.count('eth_requestAccounts')).toBe(0)

  const asked = wallet.count('wallet_connect')
  wallet.on('wallet_connect', () => new Promise(() => undefined))
  await page.getByRole('button', { name: 'Example Wallet' }).click()
  await expect.poll(() => wallet.count('wallet_connect')).toBe(asked + 1)
  await paymentDialog(page).getByRole('button', { name: 'Close' }).click()
  await choose()
  await expect(paymentDialog(page).getByRole('button', { name: 'Sign in' })).toBeEnabled()
  expect(wallet.count('wallet_connect')).toBe(asked + 1)
})
