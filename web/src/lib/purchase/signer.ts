import { type Account, type Hex, isHex, walletAccount } from '@coinslot/client/account'
import { ensureChain } from '../wallet/chain.ts'
import { walletTrouble } from '../wallet/errors.ts'
import { firstAccount, type Provider, sameAddress } from '../wallet/provider.ts'
import { RefusalError } from './refusal.ts'

/**
 * A wallet as the library signs with it: chain first, then one `eth_signTypedData_v4`. The account is read before and after, so
 * that a payment whose `from` is not the signer is never made. Calls `onSignature` when the signature is asked for.
 */
export function signerOf(provider: Provider, address: string, onSignature: () => void): Account {
  const wallet = walletAccount(provider, hexOf(address))
  return {
    ...wallet,
    signTypedData: async (payment) => {
      await standOn(provider, payment.domain.chainId)
      await expectAccount(provider, address)
      onSignature()
      const signature = await wallet.signTypedData(payment).catch((error: unknown) => {
        throw new RefusalError(walletTrouble(error) === 'pending' ? 'wallet_pending' : 'cancelled')
      })
      await expectAccount(provider, address)
      return signature
    },
  }
}

/** The payer of a payment that was signed already. It signs nothing more. */
export function payerOf(address: string): Account {
  const refuse = (): Promise<Hex> => Promise.reject(new RefusalError('cancelled'))
  return { address: hexOf(address), signMessage: refuse, signTypedData: refuse }
}

function hexOf(address: string): Hex {
  if (!isHex(address)) throw new Error('not an address')
  return address
}

async function standOn(provider: Provider, chainId: number): Promise<void> {
  const chain = await ensureChain(provider, chainId)
  if (chain === 'rejected') throw new RefusalError('cancelled')
  if (chain === 'pending') throw new RefusalError('wallet_pending')
  if (chain === 'refused') throw new RefusalError('wrong_chain')
}

async function expectAccount(provider: Provider, address: string): Promise<void> {
  const now = firstAccount(await provider.request({ method: 'eth_accounts' }).catch(() => null))
  if (now === null || !sameAddress(now, address)) throw new RefusalError('account_changed')
}
