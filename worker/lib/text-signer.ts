import { hkdf } from '@noble/hashes/hkdf'
import { hmac } from '@noble/hashes/hmac'
import { sha256 } from '@noble/hashes/sha2'
import { toBase64Url } from '../../protocol/base64.ts'

/** Signs and checks texts; what the previous session secret signed still holds. Never waits: WebCrypto would cost a call more. */
export interface TextSigner {
  /** HMAC-SHA-256 as base64url, 43 characters. */
  sign(text: string): string
  /** A signer of texts that begin with `start`, which is digested once. */
  startingWith(start: string): (rest: string) => string
  /** Compares in constant time. */
  verify(text: string, signature: string): boolean
}

/** The secrets that keys are made of, and the origin that they are bound to. */
interface KeyConfig {
  sessionSecret: string
  sessionSecretPrevious?: string | undefined
  publicOrigins: readonly [string, ...string[]]
}

type Mac = ReturnType<typeof hmac.create>

const encoder = new TextEncoder()
const KEY_BYTES = 32

/** HKDF of a secret with a label and the first origin: a separate key for each use. */
const keyed = (secret: string, label: string, origin: string): Mac =>
  hmac.create(sha256, hkdf(sha256, encoder.encode(secret), encoder.encode(origin), `coinslot ${label}`, KEY_BYTES))

/** Memory of every signature, one after the other: new buffers would cost as much as the digest. */
const digest = new Uint8Array(KEY_BYTES)
let scratch: Mac | undefined

function finish(mac: Mac, text: string): string {
  scratch = mac._cloneInto(scratch)
  scratch.update(encoder.encode(text)).digestInto(digest)
  return toBase64Url(digest)
}

function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let index = 0; index < b.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}

function makeSigner(config: KeyConfig, label: string): TextSigner {
  const origin = config.publicOrigins[0]
  const present = keyed(config.sessionSecret, label, origin)
  const previous =
    config.sessionSecretPrevious === undefined ? null : keyed(config.sessionSecretPrevious, label, origin)
  return {
    sign: (text) => finish(present, text),
    startingWith(start) {
      const mac = present.clone().update(encoder.encode(start))
      return (rest) => finish(mac, rest)
    },
    verify: (text, signature) =>
      isEqual(signature, finish(present, text)) || (previous !== null && isEqual(signature, finish(previous, text))),
  }
}

const signers = new WeakMap<object, Map<string, TextSigner>>()

/** The signer for one use, e.g. `makeTextSigner(config, 'quote')`. Made once for a configuration. */
export function makeTextSigner(config: KeyConfig, label: string): TextSigner {
  const ofConfig = signers.get(config) ?? new Map<string, TextSigner>()
  const signer = ofConfig.get(label) ?? makeSigner(config, label)
  signers.set(config, ofConfig.set(label, signer))
  return signer
}
