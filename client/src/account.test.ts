import { hexToString, recoverMessageAddress, recoverTypedDataAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { type TypedPayment, type WalletProvider, walletAccount } from './account.ts'

const key = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const signer = privateKeyToAccount(key)

const payment: TypedPayment = {
  domain: {
    name: 'USD Coin',
    version: '2',
    chainId: 1,
    verifyingContract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  },
  types: {
    TransferWithAuthorization: [
      { name: 'from', type: 'address' },
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'validAfter', type: 'uint256' },
      { name: 'validBefore', type: 'uint256' },
      { name: 'nonce', type: 'bytes32' },
    ],
  },
  primaryType: 'TransferWithAuthorization',
  message: {
    from: signer.address,
    to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    value: 9_007_199_254_740_993n,
    validAfter: 0n,
    validBefore: 1_800_000_000n,
    nonce: `0x${'ab'.repeat(32)}`,
  },
}

/** A wallet as strict as the strictest: it signs what the text says and nothing else. */
const wallet: WalletProvider = {
  request: async ({ method, params = [] }) => {
    const [first, second] = params.map(String)
    if (method === 'personal_sign') return signer.signMessage({ message: hexToString(`0x${first?.slice(2)}`) })
    const document = JSON.parse(second ?? '')
    const names = document.types.EIP712Domain.map(({ name }: { name: string }) => name)
    if (method !== 'eth_signTypedData_v4' || names.join() !== 'name,version,chainId,verifyingContract')
      throw new Error('odd')
    return signer.signTypedData(document)
  },
}

describe('an account around a wallet', () => {
  const account = walletAccount(wallet, signer.address)

  it('default: a payment is signed as viem would sign it, amounts above 2^53 too', async () => {
    const signature = await account.signTypedData(payment)
    expect(await recoverTypedDataAddress({ ...payment, signature })).toBe(signer.address)
  })

  it('default: a message is signed in UTF-8', async () => {
    const signature = await account.signMessage({ message: 'Sign in é' })
    expect(await recoverMessageAddress({ message: 'Sign in é', signature })).toBe(signer.address)
  })

  it('error: TypeError when the wallet returns no signature', async () => {
    const mute = walletAccount({ request: async () => null }, signer.address)
    await expect(mute.signTypedData(payment)).rejects.toThrow(TypeError)
  })
})
