import { SiweMessage } from 'siwe'
import { getAddress } from 'viem'
import * as z from 'zod'
import { once } from '../../../db/once.ts'
import { fromBase64 } from '../../../protocol/base64.ts'
import { chainIdOf } from '../../../protocol/networks.ts'
import { AppError } from '../../errors.ts'
import { sha256 } from '../../lib/digest.ts'
import { makeIsolateCache } from '../../lib/isolate-cache.ts'
import type { RequestDeps, Session } from '../deps.ts'
import { PROOF_SECONDS } from './challenge.ts'
import { readSignInMessage, type SignInMessage } from './message.ts'
import { isFreshNonce } from './nonce.ts'
import { checkSignature } from './signature.ts'

/** A wallet that signed this very request: the session and the nonce of the challenge it answers. */
export interface RequestProof {
  session: Session
  nonce: string
}

/** A 4 KiB signature in hex and base64 is 11 KiB. */
const MAX_HEADER_CHARACTERS = 16 * 1024

const proofSchema = once(() => {
  const line = z.string().max(1_000)
  return z.object({
    domain: line,
    uri: line,
    version: line,
    nonce: line,
    issuedAt: line,
    address: z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)]),
    chainId: z.string().regex(/^eip155:[1-9][0-9]{0,8}$/),
    type: z.literal('eip191'),
    signature: z
      .templateLiteral(['0x', z.string().regex(/^([0-9a-fA-F]{2})+$/)])
      .refine((text) => text.length <= 2 + 2 * 4096, 'longer than 4 KiB'),
    statement: line.exactOptional(),
    expirationTime: line.exactOptional(),
    notBefore: line.exactOptional(),
    requestId: line.exactOptional(),
    resources: z.array(line).max(20).exactOptional(),
  })
})
type Proof = z.infer<ReturnType<typeof proofSchema>>

/** Proofs that were checked before, by the digest of path and header: a proof is good for reads until it expires. */
const checked = makeIsolateCache<{ proof: RequestProof; until: number }>()

/**
 * Reads the header `SIGN-IN-WITH-X` of a request for `path`: the wallet's session for this one request. Whether its nonce may be
 * used is decided by the statement that uses it; a read needs none. `beforeChain` runs before a chain is asked about a contract
 * wallet, and may throw. Throws `AppError` `invalid_siwe_message`, `unsupported_chain`,
 * `nonce_expired` or `invalid_signature`.
 */
export async function readRequestProof(
  deps: RequestDeps,
  header: string,
  path: string,
  beforeChain: () => Promise<void> = async () => undefined,
): Promise<RequestProof> {
  const key = await sha256(`${path}\n${header}`)
  const now = deps.now()
  const known = checked.get(deps.config, key)
  if (known !== undefined && now.getTime() < known.until) return known.proof
  const fields = decode(header)
  const message = messageOf(deps, fields, path, now)
  if (!isFreshNonce(deps.config, message.parsed.nonce, now, 'challenge')) {
    throw new AppError('nonce_expired', {
      detail: 'The nonce is not of a challenge of this service, or older than 10 minutes. Ask for a new challenge.',
    })
  }
  await checkSignature(deps, message, fields.signature, beforeChain)
  // Of the text that was signed, not of the fields beside it.
  const { nonce, chainId, address } = message.parsed
  const proof = { session: { address: getAddress(address), chainId }, nonce }
  checked.set(deps.config, key, { proof, until: endOf(message, now) })
  return proof
}

function decode(header: string): Proof {
  const bytes = header.length > MAX_HEADER_CHARACTERS ? null : fromBase64(header)
  try {
    const json: unknown =
      bytes === null ? null : JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes))
    const parsed = proofSchema().safeParse(json)
    if (parsed.success) return parsed.data
  } catch {
    // It is not JSON in UTF-8; the answer is the same.
  }
  throw refuse('It must be base64 of the JSON of x402’s extension sign-in-with-x, with `type` "eip191".')
}

/** Both sides build the text from the fields; it must be one that the sign-in call would take, and name this path. */
function messageOf({ config }: RequestDeps, proof: Proof, path: string, now: Date): SignInMessage {
  const message = readSignInMessage(config, textOf(proof), now, PROOF_SECONDS)
  if (URL.parse(message.parsed.uri)?.pathname !== path) throw refuse('The URI of the proof is of another path.')
  return message
}

function textOf({ chainId, signature: _signature, type: _type, ...fields }: Proof): string {
  try {
    return new SiweMessage({
      ...fields,
      address: getAddress(fields.address),
      chainId: chainIdOf(chainId),
    }).prepareMessage()
  } catch (cause) {
    throw refuse('Its fields make no valid EIP-4361 message.', cause)
  }
}

/** When a proof stops being good, in milliseconds: its own expiry, at most 5 minutes after it was issued. */
function endOf({ parsed, secondsLeft }: SignInMessage, now: Date): number {
  const latest = Date.parse(parsed.issuedAt ?? '') + PROOF_SECONDS * 1000
  return secondsLeft === undefined ? latest : Math.min(latest, now.getTime() + secondsLeft * 1000)
}

const refuse = (detail: string, cause?: unknown): AppError =>
  new AppError('invalid_siwe_message', { detail: `SIGN-IN-WITH-X: ${detail}` }, { cause })
