import type { SiweConfig } from 'siwe'
import {
  type Address,
  compactSignatureToSignature,
  getAddress,
  type Hex,
  hashMessage,
  parseCompactSignature,
  recoverMessageAddress,
  serializeSignature,
  size,
} from 'viem'
import { AppError } from '../../errors.ts'
import { describeError } from '../../lib/log.ts'
import type { RequestDeps } from '../deps.ts'
import type { SignInMessage } from './message.ts'

/** EIP-2098 packs a signature into 64 bytes; viem recovers from the 65-byte form only. */
function expand(signature: Hex): Hex {
  if (size(signature) !== 64) return signature
  return serializeSignature(compactSignatureToSignature(parseCompactSignature(signature)))
}

/** viem throws unless a signature has 65 bytes, and siwe treats that as "not a plain account's". */
const cryptography = (
  text: string,
  askWallet: (address: Address, signature: Hex, chainId: number) => Promise<boolean>,
): SiweConfig => ({
  verifyMessage: (_message, signature) => recoverMessageAddress({ message: text, signature: expand(asHex(signature)) }),
  hashMessage: (message) => hashMessage(message),
  getAddress: (address) => getAddress(address),
  checkContractWalletSignature: (address, _message, signature, chainId) =>
    askWallet(getAddress(address), asHex(signature), chainId),
})

const asHex = (text: string): Hex => `0x${text.slice(2)}`

/**
 * Checks that the wallet of the message signed it: a plain account (65 bytes, or 64 as EIP-2098) without any call, a contract
 * wallet (ERC-1271, or ERC-6492 before it is deployed) by asking its chain. Throws `invalid_signature`.
 */
export async function checkSignature(
  deps: RequestDeps,
  message: SignInMessage,
  signature: Hex,
  beforeChain: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { parsed, text } = message
  let chainFault: unknown
  const askWallet = async (address: Address, wallets: Hex, chainId: number): Promise<boolean> => {
    try {
      await beforeChain()
      return await deps.chain.verifyMessage(chainId, address, text, wallets)
    } catch (cause) {
      chainFault = cause
      return false
    }
  }
  const { success } = await parsed.verify(
    {
      signature,
      domain: parsed.domain,
      nonce: parsed.nonce,
      uri: parsed.uri,
      chainId: parsed.chainId,
      time: deps.now().toISOString(),
    },
    { strict: true, suppressExceptions: true, config: cryptography(text, askWallet) },
  )
  if (success) return
  if (chainFault instanceof AppError) throw chainFault
  if (chainFault === undefined) {
    throw new AppError('invalid_signature', { detail: 'The signature is not one of the address in the message.' })
  }
  deps.log.warn('sign_in.chain_unavailable', { chainId: parsed.chainId, cause: describeError(chainFault) })
  throw new AppError('invalid_signature', {
    detail: "The chain could not be asked whether this is a contract wallet's signature.",
    nextAction: 'wait_and_retry',
    retryAfterSeconds: 5,
  })
}
