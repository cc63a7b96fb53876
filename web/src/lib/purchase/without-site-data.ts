import { isHex, walletAccount } from '@coinslot/client/account'
import type { WalletProof } from '@coinslot/client/buyer'
import { signRequests } from '@coinslot/client/signed-requests'
import { service } from '../api.ts'
import { currentChain } from '../wallet/chain.ts'
import { checksumAddress } from '../wallet/checksum-address.ts'
import { walletTrouble, walletWords } from '../wallet/errors.ts'
import type { Provider } from '../wallet/provider.ts'
import { noticeOf, RefusalError } from './refusal.ts'

const PURCHASE_PATH = '/api/inference'

/**
 * Proves the wallet in each purchase by its own signature (`SIGN-IN-WITH-X`), where a browser keeps no cookie. The signature is
 * requested with the price; the payment then repeats it. Rejects with RefusalError if the wallet does not sign.
 */
export async function proofWithoutCookies(provider: Provider, address: string): Promise<WalletProof> {
  const owner = await checksumAddress(address)
  if (!isHex(owner)) throw new Error('not an address')
  const wallet = walletAccount(provider, owner)
  const account = {
    ...wallet,
    signMessage: (args: { message: string }) =>
      wallet.signMessage(args).catch((error: unknown) => {
        throw new RefusalError(noticeOf(walletTrouble(error)), walletWords(error))
      }),
  }
  const chain = await currentChain(provider).catch(() => null)
  const proof = signRequests(service(), () => account, chain ?? undefined)
  let isPurchase = true
  return {
    ...proof,
    // A record is read again and again, and each path needs another signature. The payment is sent again instead: that joins its run.
    headers: async (path, challenge) => {
      isPurchase = path === PURCHASE_PATH
      return isPurchase ? proof.headers(path, challenge) : {}
    },
    renew: async (refusal) => (isPurchase ? proof.renew(refusal) : undefined),
  }
}
