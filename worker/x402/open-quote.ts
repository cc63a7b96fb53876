import * as z from 'zod'
import { once } from '../../db/once.ts'
import { fromBase64, jsonToBase64Url } from '../../protocol/base64.ts'
import type { TextSigner } from '../lib/text-signer.ts'

const text = () => z.string().max(200)
const address = () => z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)])

const entrySchema = () =>
  z.object({
    network: z.templateLiteral(['eip155:', z.number().int()]),
    asset: address(),
    /** Atomic units, an integer string. */
    amount: z.string().regex(/^[1-9][0-9]{0,77}$/),
    payTo: address(),
    /** EIP-712 domain of the asset. */
    name: text(),
    version: text(),
  })

/**
 * A price that was promised for one request, until `expiresAt` (unix seconds), to any wallet that signs in with the challenge of
 * `nonce`. It is also the sign-in of a payment (`PAYMENT_SIGN_IN`), so it is read before the request is: all it says is in the token.
 */
export const openQuoteSchema = once(() =>
  z.object({
    v: z.literal(1),
    wallet: z.null(),
    /** The nonce of the challenge that came with it; no two open quotes are alike. */
    nonce: text(),
    task: z.enum(['text-to-image', 'text-to-text', 'text-to-sound']),
    model: text(),
    requestHash: text(),
    entries: z.array(entrySchema()).min(1).max(8),
    /** The rate after discount, USDC per second. */
    ratePerSec: text(),
    discountPct: text(),
    /** Atomic units (10^-18 AIC). */
    stakedAic: text(),
    estimatedSeconds: text(),
    estimatedCostUsdc: text(),
    expiresAt: z.number().int(),
  }),
)
export type OpenQuote = z.infer<ReturnType<typeof openQuoteSchema>>
export type QuoteEntry = OpenQuote['entries'][number]
/** The terms of a quote of either kind. */
export type Terms = Pick<
  OpenQuote,
  'entries' | 'ratePerSec' | 'discountPct' | 'stakedAic' | 'estimatedSeconds' | 'estimatedCostUsdc'
>

/** Far above any token this service makes. */
const MAX_TOKEN_CHARACTERS = 8192

/** Entries without member names, and 0 for a payee like the first one's: the token is in a header that must stay small. */
const packEntries = (entries: readonly QuoteEntry[]): unknown[][] =>
  entries.map(({ network, asset, amount, payTo, name, version }, index) => [
    network,
    asset,
    amount,
    index > 0 && payTo === entries[0]?.payTo ? 0 : payTo,
    name,
    version,
  ])

const packedSchema = once(() => z.looseObject({ entries: z.array(z.array(z.unknown())) }))

function unpack(json: unknown): OpenQuote | null {
  const packed = packedSchema().safeParse(json)
  if (!packed.success) return null
  const firstPayTo = packed.data.entries[0]?.[3]
  const entries = packed.data.entries.map(([network, asset, amount, payTo, name, version]) => {
    return { network, asset, amount, payTo: payTo === 0 ? firstPayTo : payTo, name, version }
  })
  const quote = openQuoteSchema().safeParse({ ...packed.data, entries })
  return quote.success ? quote.data : null
}

/** A quote as an opaque token: what it says as base64url, a dot, its signature. Under 1.5 KB with five entries. */
export function signOpenQuote(signer: TextSigner, quote: OpenQuote): string {
  const body = jsonToBase64Url({ ...quote, entries: packEntries(quote.entries) })
  return `${body}.${signer.sign(body)}`
}

/** The quote in a token; null when this service did not sign it. The caller checks expiry and request. */
export function readOpenQuote(signer: TextSigner, token: string): OpenQuote | null {
  const [body, signature, ...rest] = token.split('.')
  if (token.length > MAX_TOKEN_CHARACTERS || body === undefined || signature === undefined || rest.length > 0)
    return null
  if (!signer.verify(body, signature)) return null
  const bytes = fromBase64(body)
  return bytes === null ? null : unpack(JSON.parse(new TextDecoder().decode(bytes)))
}
