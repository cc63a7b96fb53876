import { decodeFunctionResult, encodeFunctionData, getTypesForEIP712Domain, type Hex, isHex, size, slice } from 'viem'
import { aicTokenAbi } from '../../../../contracts/abi/aic-token.ts'
import { callOrNothing } from '../../../shared/wallet/chain.ts'
import { walletTrouble } from '../../../shared/wallet/errors.ts'
import { sameAddress } from '../../../shared/wallet/provider.ts'
import type { AicCall } from './move-aic.ts'

const VALID_SECONDS = 3600
const PERMIT_TYPE = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
]

/** Deadline, v, r and s, as the contracts take them. */
export type PermitArgs = [deadline: bigint, v: number, r: Hex, s: Hex]

/**
 * Requests a permit (EIP-2612) of exactly that amount for one hour. Returns null if the token has no permit or the wallet cannot
 * sign one. Throws the wallet's error if the person rejects it or another request is open, and the node's if it does not answer.
 */
export async function signPermit(call: AicCall, spender: Hex, value: bigint): Promise<PermitArgs | null> {
  const terms = await readTerms(call)
  if (terms === null) return null
  const deadline = BigInt(Math.floor(Date.now() / 1000) + VALID_SECONDS)
  const message = {
    owner: call.address,
    spender,
    value: value.toString(),
    nonce: terms.nonce.toString(),
    deadline: deadline.toString(),
  }
  const types = { EIP712Domain: getTypesForEIP712Domain(terms), Permit: PERMIT_TYPE }
  const document = JSON.stringify({ domain: terms.domain, types, primaryType: 'Permit', message })
  const params = [call.address, document]
  const signature = await call.provider.request({ method: 'eth_signTypedData_v4', params }).catch(nullUnlessAnswered)
  if (!isHex(signature) || size(signature) !== 65) return null
  const last = Number(slice(signature, 64))
  return [deadline, last < 27 ? last + 27 : last, slice(signature, 0, 32), slice(signature, 32, 64)]
}

/** The token's domain (EIP-5267) and the owner's next nonce. Null if it has none, or one of another chain or token. */
async function readTerms({ provider, address, chainId, contracts: { token } }: AicCall) {
  const abi = aicTokenAbi
  const [domainData, nonceData] = await Promise.all([
    callOrNothing(provider, { to: token, data: encodeFunctionData({ abi, functionName: 'eip712Domain' }) }),
    callOrNothing(provider, { to: token, data: encodeFunctionData({ abi, functionName: 'nonces', args: [address] }) }),
  ])
  if (domainData === '0x' || nonceData === '0x') return null
  const [, name, version, domainChain, verifyingContract] = decodeFunctionResult({
    abi,
    functionName: 'eip712Domain',
    data: domainData,
  })
  if (Number(domainChain) !== chainId || !sameAddress(verifyingContract, token)) return null
  return { domain: { name, version, chainId, verifyingContract }, nonce: BigInt(nonceData) }
}

/** Null if the wallet cannot sign; an answer of the person is thrown on. */
function nullUnlessAnswered(error: unknown): null {
  const trouble = walletTrouble(error)
  if (trouble === 'rejected' || trouble === 'pending') throw error
  return null
}
