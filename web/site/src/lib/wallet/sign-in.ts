import { type Account, walletAccount } from '@coinslot/client/account'
import { signIn } from '@coinslot/client/sign-in'
import { checksumAddress } from '../../../../shared/wallet/checksum-address.ts'
import { type Provider, readChainId } from '../../../../shared/wallet/provider.ts'
import { service } from '../api.ts'
import { STATEMENT } from './connect-and-sign-in.ts'

/** A wallet as an account of the library, and the chain that it is on. Null if it does not answer with one. */
export async function ownerOf(
  provider: Provider,
  address: string,
): Promise<{ account: Account; chain: number | null }> {
  const chain = await provider.request({ method: 'eth_chainId' }).then(readChainId, () => null)
  // Wallets return addresses in any letter case. The message needs the EIP-55 form.
  return { account: walletAccount(provider, await checksumAddress(address)), chain }
}

/**
 * Signs in with a wallet, on its chain if the service serves it, else on the service's first chain. Requests one signature. Throws
 * the error of the wallet or the service.
 */
export async function signInWith(provider: Provider, address: string, servedChains: readonly number[]) {
  const { account, chain } = await ownerOf(provider, address)
  const served = chain !== null && servedChains.includes(chain) ? chain : servedChains[0]
  const options = { chainId: served ?? chain ?? 1, statement: STATEMENT }
  return signIn(service(), account, options)
}
