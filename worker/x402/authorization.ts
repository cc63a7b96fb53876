import {
  type Address,
  concat,
  domainSeparator,
  type Hex,
  hashStruct,
  isAddressEqual,
  keccak256,
  recoverAddress,
} from 'viem'
import { messageOf, TRANSFER_TYPES, type TransferDomain } from '../../protocol/eip3009.ts'
import { makeIsolateCache } from '../lib/isolate-cache.ts'
import type { Authorization, PaymentRequirements } from './schemas.ts'

/** With less validity left the transfer may expire before it is mined (as in the reference facilitator). */
const MIN_SECONDS_LEFT = 6
/** An authorization that lives longer would be spendable long after the buyer has forgotten it. */
const MAX_SECONDS_LEFT = 900

/** The reference facilitator's reasons for what the worker finds by itself, so that clients need to know one set only. */
const REASONS = {
  recipient: 'invalid_exact_evm_recipient_mismatch',
  value: 'invalid_exact_evm_payload_authorization_value_mismatch',
  validBefore: 'invalid_exact_evm_payload_authorization_valid_before',
  validAfter: 'invalid_exact_evm_payload_authorization_valid_after',
}

/** Reason of a signature that is not the payer's, or that no token would take. */
export const SIGNATURE_REASON = 'invalid_exact_evm_signature'
/** Reason of an authorization that was used or cancelled before. */
export const NONCE_USED_REASON = 'invalid_exact_evm_nonce_already_used'

/**
 * The fault of an authorization, as an x402 reason; null when it pays these requirements now.
 * More than the price is refused like less, so that no buyer pays what was not asked for.
 */
export function checkAuthorization(
  authorization: Authorization,
  requirements: PaymentRequirements,
  now: Date,
): string | null {
  const nowSeconds = BigInt(Math.floor(now.getTime() / 1000))
  const secondsLeft = BigInt(authorization.validBefore) - nowSeconds
  if (!isAddressEqual(authorization.to, requirements.payTo)) return REASONS.recipient
  if (authorization.value !== requirements.amount) return REASONS.value
  if (secondsLeft < MIN_SECONDS_LEFT || secondsLeft > MAX_SECONDS_LEFT) return REASONS.validBefore
  // Tokens want a block strictly after it.
  if (BigInt(authorization.validAfter) >= nowSeconds) return REASONS.validAfter
  return null
}

/**
 * The facts that a signature shows without asking the chain.
 * `recovered`: the payer's own key signed; `signature` has v 27 or 28, the only ones tokens take.
 * `high_s`: the payer's, but in the malleable twin form that tokens refuse.
 * `mismatch`: 65 bytes that are not the payer's key: wrong, unless the payer is a contract wallet.
 * `other`: another length: only a contract wallet's can be valid, and the chain decides.
 */
export type SignatureFinding =
  | { kind: 'recovered'; signature: Hex }
  | { kind: 'high_s' }
  | { kind: 'mismatch' }
  | { kind: 'other' }

/** Half the order of secp256k1; tokens refuse a greater s. */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const HEX_LENGTH_OF_65_BYTES = 2 + 2 * 65

/** Tries to recover the payer from a signature. Never throws on any bytes. */
export async function inspectSignature(
  authorization: Authorization,
  signature: Hex,
  domain: TransferDomain,
): Promise<SignatureFinding> {
  if (signature.length !== HEX_LENGTH_OF_65_BYTES) return { kind: 'other' }
  const normalised = withTokenV(signature)
  if (normalised === null) return { kind: 'mismatch' }
  const signer = await signerOf(authorization, domain, normalised).catch(() => null)
  if (signer === null || !isAddressEqual(signer, authorization.from)) return { kind: 'mismatch' }
  if (BigInt(`0x${signature.slice(66, 130)}`) > MAX_S) return { kind: 'high_s' }
  return { kind: 'recovered', signature: normalised }
}

async function signerOf(authorization: Authorization, domain: TransferDomain, signature: Hex): Promise<Address> {
  const message = hashStruct({
    data: messageOf(authorization),
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
  })
  return recoverAddress({ hash: keccak256(concat(['0x1901', separatorOf(domain), message])), signature })
}

/** Domain separators by all that is in them: half of what EIP-712 hashes, and the same for every payment in an asset. */
const separators = makeIsolateCache<Hex>()

function separatorOf(domain: TransferDomain): Hex {
  const key = JSON.stringify(domain)
  let separator = separators.get(TRANSFER_TYPES, key)
  if (separator === undefined) {
    separator = domainSeparator({ domain })
    separators.set(TRANSFER_TYPES, key, separator)
  }
  return separator
}

/** How ERC-6492 ends the signature of a wallet that is not deployed yet. */
const ERC_6492_ENDING = '6492'.repeat(16)

export const isUndeployedWallets = (signature: Hex): boolean => signature.toLowerCase().endsWith(ERC_6492_ENDING)

/** Some wallets end a signature with 0 or 1 where tokens want 27 or 28. */
function withTokenV(signature: Hex): Hex | null {
  const v = Number.parseInt(signature.slice(130), 16)
  if (v === 27 || v === 28) return signature
  return v === 0 || v === 1 ? `0x${signature.slice(2, 130)}${(v + 27).toString(16)}` : null
}
