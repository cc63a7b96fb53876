import type { Account } from '@coinslot/client/account'
import type { WalletProof } from '@coinslot/client/buyer'
import { signRequests } from '@coinslot/client/signed-requests'
import { service } from '../api.ts'

const PURCHASE_PATH = '/api/inference'

/**
 * Proves the wallet in each purchase by its own signature (`SIGN-IN-WITH-X`), where a browser keeps no cookie. The signature is
 * requested with the price, for `chainId` where the service takes it; the payment then repeats it.
 */
export function proofWithoutCookies(account: Account, chainId: number | undefined): WalletProof {
  const proof = signRequests(service(), () => account, chainId)
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
