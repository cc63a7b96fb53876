import type { TransferTypedData } from '../../protocol/eip3009.ts'

export type Hex = `0x${string}`

/** The EIP-712 document of a USDC payment (EIP-3009), as viem's accounts take it. */
export interface TypedPayment extends TransferTypedData {
  types: { TransferWithAuthorization: readonly { name: string; type: string }[] }
  primaryType: 'TransferWithAuthorization'
}

/** The account that signs: a `LocalAccount` of viem, or a `walletAccount` for a browser's wallet. */
export interface Account {
  /** In EIP-55 form. */
  address: Hex
  signMessage(args: { message: string }): Promise<Hex>
  signTypedData(payment: TypedPayment): Promise<Hex>
}

/** A wallet's EIP-1193 provider. */
export interface WalletProvider {
  request(args: { method: string; params?: unknown[] }): Promise<unknown>
}

/** Some wallets sign a wrong or an empty domain when its type is missing. */
const DOMAIN_TYPE = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

export const isHex = (value: unknown): value is Hex => typeof value === 'string' && value.startsWith('0x')

function hexOf(value: unknown): Hex {
  if (!isHex(value)) throw new TypeError('the wallet returned no signature')
  return value
}

const utf8ToHex = (text: string): Hex =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** An account that signs with an EIP-1193 wallet. `address` must be connected in the wallet, and in EIP-55 form. */
export function walletAccount(provider: WalletProvider, address: Hex): Account {
  return {
    address,
    signMessage: async ({ message }) =>
      hexOf(await provider.request({ method: 'personal_sign', params: [utf8ToHex(message), address] })),
    signTypedData: async (payment) => {
      const document = { ...payment, types: { EIP712Domain: DOMAIN_TYPE, ...payment.types } }
      const text = JSON.stringify(document, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
      return hexOf(await provider.request({ method: 'eth_signTypedData_v4', params: [address, text] }))
    },
  }
}
