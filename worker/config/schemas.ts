import { getAddress, isAddress } from 'viem'
import * as z from 'zod'
import { chainIdOf } from '../../protocol/networks.ts'
import { trimEnd } from '../lib/text.ts'
import { readSigningKey } from './signing-key.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True if a URL's host is this machine. */
export const isLoopback = (url: string): boolean => LOOPBACK.has(URL.parse(url)?.hostname ?? '')

const isUrl = (text: string, protocols: readonly string[]): boolean =>
  protocols.includes(URL.parse(text)?.protocol ?? '')
const withoutSlash = (text: string): string => trimEnd(text, '/')

export const anyText = z.string()

export const httpUrl = z
  .string()
  .refine((text) => isUrl(text, ['http:', 'https:']), 'must be an http or https URL')
  .transform(withoutSlash)

/** An address that paths are put behind: credentials, a query or a fragment in it would spoil every call, some after payment. */
export const baseUrl = httpUrl.refine((text) => {
  const url = URL.parse(text)
  return url !== null && !text.includes('?') && !text.includes('#') && url.username === '' && url.password === ''
}, 'must be an address without credentials, query or fragment')

/** `https://<key>@<host>/<path>/<project>`: the address and key that errors are sent with. */
export const errorTrackingDsn = httpUrl.refine((text) => {
  const url = URL.parse(text)
  return url?.username !== '' && /\/\d+$/.test(url?.pathname ?? '')
}, 'must be a DSN like https://key@host/1')

export const databaseUrl = z
  .string()
  .refine((text) => isUrl(text, ['postgres:', 'postgresql:']), 'must be a postgres:// URL')
  .refine((text) => URL.parse(text)?.hostname !== '' || /[?&]host=/.test(text), 'must name a host')

export const secret = z.string().min(32, 'must have at least 32 characters')

/** The provider's form: `whsec_` and base64. No webhook verifies with anything else. */
export const webhookSecret = z.string().regex(/^(whsec_)?[\w+/-]{2,}={0,2}$/, 'must be whsec_ and base64')

export const address = z
  .string()
  .refine((text) => isAddress(text), 'must be an address (0x and 40 hex digits, letters lower case or EIP-55)')
  .transform((text) => getAddress(text))

/** A plain account as `0x…`, or an account of one chain as CAIP-10 has it: `eip155:<chain>:0x…`. */
export const account = z
  .string()
  .transform((text) => {
    const [, network, of = text] = /^(eip155:\d+):(.*)$/.exec(text) ?? []
    return { chainId: network === undefined ? null : chainIdOf(network), address: of }
  })
  .refine(({ chainId, address }) => chainId !== 0 && isAddress(address), 'must be 0x… or eip155:<chain>:0x…')
  .transform(({ chainId, address }) => ({ chainId, address: getAddress(address) }))

export const privateKey = z
  .string()
  .regex(/^(0x)?[0-9a-fA-F]{64}$/, 'must be 32 bytes of hex')
  .transform((text): `0x${string}` => `0x${text.replace(/^0x/, '')}`)

const isAboveZero = (text: string): boolean => /[1-9]/.test(text)

/** A plain decimal above zero with at most `decimals` places: no sign, no exponent, no comma, no leading zero. */
export const positiveDecimal = (decimals: number) =>
  z
    .string()
    .regex(
      new RegExp(`^(0|[1-9]\\d{0,11})(\\.\\d{1,${decimals}})?$`),
      `must be a plain decimal with at most ${decimals} decimals`,
    )
    .refine(isAboveZero, 'must be above zero')

export const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, `must be an integer from ${minimum} to ${maximum}`)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `must be an integer from ${minimum} to ${maximum}`)

export const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true')

/** A comma-separated list of at least one part, each of which fits `part`; empty parts are ignored. */
export const list = <T>(part: z.ZodType<T, string>) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    )
    .pipe(z.array(part).min(1, 'names nothing: leave it out, or give a comma-separated list'))

export const origin = z.string().refine((text) => {
  const url = URL.parse(text)
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.origin === text
}, 'must be origins like https://example.com, without a path or a trailing slash')

export const hostPattern = z
  .string()
  .regex(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/i, 'must be host names without port, *. in front at most')
  .transform((text) => text.toLowerCase())

export const ipAddress = z.string().regex(/^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]*)$/i, 'must be an IP address')

export const environment = z.enum(
  ['production', 'preview', 'development'],
  'must be production, preview or development',
)

export const onOff = z.enum(['on', 'off'], 'must be on or off').transform((text) => text === 'on')

export const accountId = z.string().regex(/^[\w-]+$/, 'must be an account id')

export const bucket = z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket name')

/** An address that can receive: tokens refuse transfers to the zero address. */
export const payee = address.refine((text) => /[1-9a-f]/i.test(text.slice(2)), 'must not be the zero address')

export const signingKey = z
  .string()
  .refine(
    (text) => readSigningKey(text) !== null,
    'must be base64 of 64 bytes (Ed25519), or the PEM of an EC key on P-256',
  )
