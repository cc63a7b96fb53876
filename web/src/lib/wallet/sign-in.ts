import { walletAccount } from '@coinslot/client/account'
import { signIn } from '@coinslot/client/sign-in'
import { getAddress } from 'viem/utils'
import { purchaseMessages } from '../../messages/en-purchase.ts'
import { service } from '../api.ts'
import { type Provider, readChainId } from './provider.ts'

/**
 * Signs in with a wallet: on its chain where the service takes that, else on the service's first. Asks for one signature, once.
 * Throws what the wallet or the service says.
 */
export async function signInWith(provider: Provider, address: string, servedChains: readonly number[]) {
  const chain = await provider.request({ method: 'eth_chainId' }).then(readChainId, () => null)
  const served = chain !== null && servedChains.includes(chain) ? chain : servedChains[0]
  // Wallets give addresses in any case; the standard's own form is what the message holds.
  const account = walletAccount(provider, getAddress(address.toLowerCase()))
  const wishes = { chainId: served ?? chain ?? 1, statement: purchaseMessages.signIn.statement }
  return signIn(service(), account, wishes)
}
