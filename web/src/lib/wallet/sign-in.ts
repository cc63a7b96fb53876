import { walletAccount } from '@coinslot/client/account'
import { signIn } from '@coinslot/client/sign-in'
import { service } from '../api.ts'
import { checksumAddress } from './checksum-address.ts'
import { STATEMENT } from './connect-and-sign-in.ts'
import { type Provider, readChainId } from './provider.ts'

/**
 * Signs in with a wallet, on its chain if the service serves it, else on the service's first chain. Requests one signature. Throws
 * the error of the wallet or the service.
 */
export async function signInWith(provider: Provider, address: string, servedChains: readonly number[]) {
  const chain = await provider.request({ method: 'eth_chainId' }).then(readChainId, () => null)
  const served = chain !== null && servedChains.includes(chain) ? chain : servedChains[0]
  // Wallets return addresses in any letter case. The message needs the EIP-55 form.
  const account = walletAccount(provider, await checksumAddress(address))
  const options = { chainId: served ?? chain ?? 1, statement: STATEMENT }
  return signIn(service(), account, options)
}
