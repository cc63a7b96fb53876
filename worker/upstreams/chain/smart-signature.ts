import { type Address, concat, encodeAbiParameters, erc6492SignatureValidatorByteCode, type Hex } from 'viem'
import { type Rpc, RpcRefusal } from './rpc.ts'
import { bytes } from './rpc-values.ts'

const ARGUMENTS = [{ type: 'address' }, { type: 'bytes32' }, { type: 'bytes' }] as const

/**
 * True if an account's signature of a hash is valid, whatever kind of account it is: a contract wallet (ERC-1271), one that is not
 * deployed yet (ERC-6492), or a plain account. One `eth_call` of a validator contract that is never deployed; its answer is one
 * byte. viem's own action does the same and brings much more along.
 */
export async function holdsSignature(rpc: Rpc, account: Address, hash: Hex, signature: Hex): Promise<boolean> {
  const data = concat([erc6492SignatureValidatorByteCode, encodeAbiParameters(ARGUMENTS, [account, hash, signature])])
  try {
    return BigInt(await rpc('eth_call', [{ data }, 'latest'], bytes())) === 1n
  } catch (error) {
    // Wallets revert on signatures they cannot read.
    if (error instanceof RpcRefusal && error.reverted) return false
    throw error
  }
}
