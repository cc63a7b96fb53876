import { AppError } from '../../../errors.ts'
import { makeIsolateCache } from '../../../lib/isolate-cache.ts'
import { makeTextSigner } from '../../../lib/text-signer.ts'
import type { QuoteEntry, Terms } from '../../../x402/open-quote.ts'
import { makeRequirements } from '../../../x402/requirements.ts'
import type { PaymentRequirements } from '../../../x402/schemas.ts'
import type { RequestDeps, Session } from '../../deps.ts'
import type { Model } from '../../models/model.ts'
import { aicAmount } from '../../pricing/price.ts'
import { type Price, priceOf } from './price.ts'
import { AIC_VERSION, packTerms, signedRest, signedStart, termsOf } from './session-quote.ts'

/** The ways to pay for a run of a model now, for one caller. The same object as long as nothing changes. */
export interface Offer {
  terms: Terms
  /** The session's chain first, USDC before AIC. */
  accepts: PaymentRequirements[]
  /** The token of a quote for a signed-in wallet. `request` is the canonical JSON of the body. */
  sign(wallet: string, expiresAt: number, request: string): string
}

/** Offers by the price, which is a new object when it changes, and by all else that they are made of. */
const known = makeIsolateCache<Offer>()

/**
 * The offer of a model to a caller. No call leaves when price, facilitator and AIC token are known. Throws `AppError
 * facilitator_unavailable` when the facilitator serves none of the networks.
 */
export async function offerFor(deps: RequestDeps, session: Session | null, model: Model): Promise<Offer> {
  const [price, supported] = await Promise.all([priceOf(deps, session, model), deps.facilitator.supportedNetworks()])
  const networks = deps.config.networks.reduce(
    (bits, { network }, index) => (supported.has(network) ? bits | (1 << index) : bits),
    0,
  )
  if (networks === 0) throw noNetwork()
  const aicName = networks & 1 ? await aicTokenName(deps) : null
  const key = `${networks} ${session?.chainId} ${aicName ?? ''}`
  let offer = known.get(price, key)
  if (offer === undefined) {
    offer = makeOffer(deps, { session, model, price, networks, aicName })
    known.set(price, key, offer)
  }
  return offer
}

interface Parts {
  session: Session | null
  model: Model
  price: Price
  networks: number
  aicName: string | null
}

function makeOffer({ config }: RequestDeps, { session, model, price, networks, aicName }: Parts): Offer {
  const { usdcRate } = config.aic
  const isInAic = aicName !== null && usdcRate !== undefined
  const sent = {
    networks,
    ratePerSec: price.effectiveRateUsdc,
    stakedAic: price.stakedAtomic.toString(),
    estimatedSeconds: price.estimatedSeconds,
    aic: isInAic ? { amount: aicAmount(price.estimatedCostUsdc, usdcRate).toString(), name: aicName } : null,
  }
  const terms = termsOf(config, model, sent)
  const signRest = makeTextSigner(config, 'quote').startingWith(signedStart(model, terms))
  const isOwn = ({ network }: QuoteEntry): boolean => network === `eip155:${session?.chainId}`
  return {
    terms,
    accepts: terms.entries.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a))).map(requirementsOf),
    sign: (wallet, expiresAt, request) =>
      `${packTerms({ ...sent, expiresAt })}~${signRest(signedRest(wallet, expiresAt, request))}`,
  }
}

/** The `accepts` entry that a quote promised. */
export const requirementsOf = ({ network, asset, amount, payTo, name, version }: QuoteEntry): PaymentRequirements =>
  makeRequirements(network, asset, amount, payTo, { name, version })

const noNetwork = (): AppError =>
  new AppError('facilitator_unavailable', {
    detail: 'The facilitator serves none of the networks of this deployment.',
    paymentState: 'unused',
    nextAction: 'wait_and_retry',
  })

const recheckMs = 60_000

/** The result of the last check of the AIC payment token; a good name is kept for the isolate's life. */
const names = new WeakMap<object, { name: string | null; checkedAt: number }>()

/**
 * The name of the AIC payment token, checked against the chain at first use; null where AIC has no price, and (with a log line)
 * while the token is not fit to be offered.
 */
async function aicTokenName(deps: RequestDeps): Promise<string | null> {
  if (deps.config.aic.usdcRate === undefined) return null
  const known = names.get(deps.config)
  const now = deps.now().getTime()
  if (known !== undefined && (known.name !== null || now - known.checkedAt < recheckMs)) return known.name
  const name = await checkAicToken(deps)
  names.set(deps.config, { name, checkedAt: now })
  return name
}

async function checkAicToken(deps: RequestDeps): Promise<string | null> {
  const { aic, networks } = deps.config
  const address = aic.paymentTokenAddress ?? aic.tokenAddress
  if (address === undefined) return null
  try {
    const name = await deps.chain.tokenName(networks[0].chainId, address)
    const domain = { name, version: AIC_VERSION }
    if (await deps.chain.isPayableToken(networks[0].chainId, address, domain)) return name
    deps.log.warn('aic.not_payable', { reason: 'no EIP-3009, or another EIP-712 domain' })
  } catch (cause) {
    deps.log.warn('aic.not_payable', { reason: String(cause) })
  }
  return null
}
