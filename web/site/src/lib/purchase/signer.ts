import { type Account, type Hex, isHex, walletAccount } from '@coinslot/client/account'
import { ensureChain } from '../../../../shared/wallet/chain.ts'
import { walletTrouble, walletWords } from '../../../../shared/wallet/errors.ts'
import { firstAccount, type Provider, sameAddress } from '../../../../shared/wallet/provider.ts'
import { noticeOf, RefusalError } from './refusal.ts'
import type { SigningStep } from './states.ts'

/**
 * A wallet as an account of the library. It switches the chain first, then requests one `eth_signTypedData_v4`. It reads the account
 * before and after, so that `from` is always the signer. `onStep` is called with what the wallet is asked for, with a
 * switch only where it is needed.
 */
export function signerOf(provider: Provider, address: string, onStep: (step: SigningStep) => void): Account {
  const wallet = walletAccount(provider, hexOf(address))
  return {
    ...wallet,
    signTypedData: async (payment) => {
      await switchTo(provider, payment.domain.chainId, () => onStep('chain'))
      await expectAccount(provider, address)
      onStep('signature')
      const signature = await wallet.signTypedData(payment).catch(refused)
      await expectAccount(provider, address)
      return signature
    },
  }
}

/** The same account. A wallet's error at a message becomes a RefusalError with its words. */
export const sayingWhy = (account: Account): Account => ({
  ...account,
  signMessage: (args) => account.signMessage(args).catch(refused),
})

/** The payer of a payment that is already signed. It refuses to sign. */
export function payerOf(address: string): Account {
  const refuse = (): Promise<Hex> => Promise.reject(new RefusalError('cancelled'))
  return { address: hexOf(address), signMessage: refuse, signTypedData: refuse }
}

/** Turns a wallet's error into a refusal with the wallet's own words. */
function refused(error: unknown): never {
  throw new RefusalError(noticeOf(walletTrouble(error)), walletWords(error))
}

function hexOf(address: string): Hex {
  if (!isHex(address)) throw new Error('not an address')
  return address
}

async function switchTo(provider: Provider, chainId: number, onSwitch: () => void): Promise<void> {
  const chain = await ensureChain(provider, chainId, onSwitch).catch(refused)
  if (chain === 'rejected') throw new RefusalError('cancelled')
  if (chain === 'pending') throw new RefusalError('wallet_pending')
  if (chain === 'refused') throw new RefusalError('wrong_chain')
}

async function expectAccount(provider: Provider, address: string): Promise<void> {
  const now = firstAccount(await provider.request({ method: 'eth_accounts' }).catch(() => null))
  if (now === null) throw new RefusalError('wallet_locked')
  if (!sameAddress(now, address)) throw new RefusalError('account_changed')
}
