import { SiweMessage } from 'siwe'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../errors.ts'
import { NONCE_SECONDS } from './nonce.ts'
import { originOfHost } from './origin.ts'

const SKEW_MS = 60_000

/** The content of a sign-in message, once it is one that we would have written. */
export interface SignInMessage {
  parsed: SiweMessage
  /** Exactly what was signed. */
  text: string
  /** Seconds until its `expirationTime`; undefined when it has none. */
  secondsLeft: number | undefined
}

const refuse = (detail: string, cause?: unknown): AppError =>
  new AppError('invalid_siwe_message', { detail }, { cause })

/** EIP-4361 to the letter. A text that its parsed fields do not reproduce byte for byte may be read differently by another parser. */
function parse(text: string): SiweMessage {
  let parsed: SiweMessage
  try {
    parsed = new SiweMessage(text)
  } catch (cause) {
    throw refuse('The message is not a valid EIP-4361 text.', cause)
  }
  if (parsed.prepareMessage() !== text) {
    throw refuse('The message is not in the exact form of EIP-4361; look at its line breaks.')
  }
  return parsed
}

/** A message is bound to one of our origins: its host in the first line and its URI both, as configured, not as requested. */
function checkOrigin(config: Config, parsed: SiweMessage): void {
  const origin = originOfHost(config, parsed.domain)
  if (origin === undefined) throw refuse('The message names a domain that is not this service.')
  if (URL.parse(parsed.uri)?.origin !== origin) throw refuse('The URI of the message is not of the origin it names.')
  if (parsed.scheme !== undefined && `${parsed.scheme}:` !== new URL(origin).protocol) {
    throw refuse('The message names another scheme than this service has.')
  }
}

/** Libraries do not check `issuedAt`. Without a bound, an old signature would be valid again with each fresh nonce. */
function checkTimes(parsed: SiweMessage, now: Date, maxAgeSeconds: number): void {
  const time = now.getTime()
  const issuedAt = Date.parse(parsed.issuedAt ?? '')
  if (!(issuedAt >= time - maxAgeSeconds * 1000 - SKEW_MS && issuedAt <= time + SKEW_MS)) {
    throw refuse(
      `The message was not issued within the last ${maxAgeSeconds / 60} minutes; check the clock of your device.`,
    )
  }
  if (parsed.expirationTime !== undefined && !(Date.parse(parsed.expirationTime) > time)) {
    throw refuse('The message has expired.')
  }
  if (parsed.notBefore !== undefined && !(Date.parse(parsed.notBefore) <= time)) {
    throw refuse('The message is not valid yet.')
  }
}

/**
 * Reads a sign-in message and checks all that needs neither signature nor nonce. Throws `invalid_siwe_message` or
 * `unsupported_chain`.
 */
export function readSignInMessage(
  config: Config,
  text: string,
  now: Date,
  maxAgeSeconds = NONCE_SECONDS,
): SignInMessage {
  const parsed = parse(text)
  if (parsed.version !== '1') throw refuse('The version of the message is not 1.')
  checkOrigin(config, parsed)
  checkTimes(parsed, now, maxAgeSeconds)
  if (!config.networks.some((network) => network.chainId === parsed.chainId)) {
    throw new AppError('unsupported_chain', {
      detail: `Sign in on one of these chains: ${config.networks.map(({ chainId }) => chainId).join(', ')}.`,
      supportedChainIds: config.networks.map(({ chainId }) => chainId),
    })
  }
  const endsAt = parsed.expirationTime === undefined ? undefined : Date.parse(parsed.expirationTime)
  const secondsLeft = endsAt === undefined ? undefined : Math.max(1, Math.floor((endsAt - now.getTime()) / 1000))
  return { parsed, text, secondsLeft }
}
