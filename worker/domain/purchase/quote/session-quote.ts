import { fromBase64, toBase64Url } from '../../../../protocol/base64.ts'
import { parseAmount, USDC_DECIMALS } from '../../../../protocol/money.ts'
import type { Config } from '../../../config/config.ts'
import type { QuoteEntry, Terms } from '../../../x402/open-quote.ts'
import type { Model } from '../../models/model.ts'
import { discountFor } from '../../pricing/discount.ts'
import { estimateCostUsdc } from '../../pricing/price.ts'

/** EIP-712 version of AIC, by the specification. */
export const AIC_VERSION = '1'

/** The offer in AIC: the amount in atomic units, and the token's name, which its chain knows. */
export interface AicOffer {
  amount: string
  name: string
}

/**
 * The terms in the token of a quote for a signed-in wallet. The rest is signed and not sent, since the paid call can compute it:
 * the wallet, the request, the model, assets, payee and cost.
 */
export interface SentTerms {
  /** Unix seconds. */
  expiresAt: number
  /** A bit for each network of the configuration that is offered, the first one lowest. */
  networks: number
  ratePerSec: string
  stakedAic: string
  estimatedSeconds: string
  aic: AicOffer | null
}

const SEPARATOR = '~'
const TOKEN =
  /^2~([0-9a-z]{1,8})~([0-9a-f])~(\d{1,12}\.\d{9})~(\d{1,50})~(\d{1,12}(?:\.\d{1,3})?)(?:~([1-9]\d{0,77})~([\w-]{0,300}))?~([\w-]{43})$/

/** The token of a quote, without its signature. */
export const packTerms = ({ expiresAt, networks, ratePerSec, stakedAic, estimatedSeconds, aic }: SentTerms): string =>
  [
    '2',
    expiresAt.toString(36),
    networks.toString(16),
    ratePerSec,
    stakedAic,
    estimatedSeconds,
    ...(aic === null ? [] : [aic.amount, toBase64Url(new TextEncoder().encode(aic.name))]),
  ].join(SEPARATOR)

/** The terms in a token, and its signature; null for anything else. */
export function unpackTerms(token: string): { sent: SentTerms; signature: string } | null {
  const [, expiresAt, networks, ratePerSec, stakedAic, estimatedSeconds, aicAmount, aicName, signature] =
    TOKEN.exec(token) ?? []
  if (!expiresAt || !networks || !ratePerSec || !stakedAic || !estimatedSeconds || !signature) return null
  const name = aicName === undefined ? null : fromBase64(aicName)
  const aic =
    aicAmount === undefined || name === null ? null : { amount: aicAmount, name: new TextDecoder().decode(name) }
  const sent = {
    expiresAt: Number.parseInt(expiresAt, 36),
    networks: Number.parseInt(networks, 16),
    ratePerSec,
    stakedAic,
    estimatedSeconds,
    aic,
  }
  return { sent, signature }
}

/** All that a quote promises, worked out of what its token says. */
export function termsOf(config: Config, { task }: Model, sent: Omit<SentTerms, 'expiresAt'>): Terms {
  const { ratePerSec, stakedAic, estimatedSeconds } = sent
  const estimatedCostUsdc = estimateCostUsdc(task, ratePerSec, estimatedSeconds)
  return {
    entries: entriesOf(config, estimatedCostUsdc, sent),
    ratePerSec,
    discountPct: discountFor(BigInt(stakedAic)).discountPct,
    stakedAic,
    estimatedSeconds,
    estimatedCostUsdc,
  }
}

/** The entries in the order of the configuration; AIC after the USDC of the first network. */
function entriesOf(
  config: Config,
  costUsdc: string,
  { networks, aic }: Pick<SentTerms, 'networks' | 'aic'>,
): QuoteEntry[] {
  const payTo = config.receiverAddress
  const amount = parseAmount(costUsdc, USDC_DECIMALS).toString()
  return config.networks.flatMap(({ network, usdc }, index) => {
    if ((networks & (1 << index)) === 0) return []
    const entry: QuoteEntry = { network, asset: usdc.address, amount, payTo, name: usdc.name, version: usdc.version }
    const asset = config.aic.paymentTokenAddress ?? config.aic.tokenAddress
    if (index > 0 || aic === null || asset === undefined) return [entry]
    return [entry, { network, asset, amount: aic.amount, payTo, name: aic.name, version: AIC_VERSION }]
  })
}

/** The signed text up to the part that differs by call. */
export const signedStart = ({ task, id }: Model, terms: Terms): string => `${JSON.stringify([task, id, terms])}\n`

/** The rest of the signed text. `request` is the canonical JSON of the body. */
export const signedRest = (wallet: string, expiresAt: number, request: string): string =>
  `${wallet.toLowerCase()}\n${expiresAt}\n${request}`
