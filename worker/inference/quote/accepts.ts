import type { Address } from 'viem'
import type { PaymentNetwork } from '../../config/config.ts'
import type { RequestDeps, Session } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { makeRequirements } from '../../payments/requirements.ts'
import type { PaymentRequirements } from '../../payments/schemas.ts'
import { parseDecimal, USDC_DECIMALS } from '../../pricing/money.ts'
import { aicAmount } from '../../pricing/price.ts'

/** EIP-712 version of AIC, by the specification. */
const AIC_VERSION = '1'
const recheckMs = 60_000

interface AicToken {
  address: Address
  domain: { name: string; version: string }
}
/** What the last look at the AIC payment token found; a good one holds for the isolate's life. */
const aicTokens = new WeakMap<object, { token: AicToken | null; checkedAt: number }>()

/**
 * The `accepts` list of a price: each payment network that is in `supported` (what the facilitator serves), the session's chain
 * first, USDC before AIC (AIC on the first network only). Throws `AppError facilitator_unavailable` when nothing is left.
 */
export async function acceptsFor(
  deps: RequestDeps,
  session: Session | null,
  estimatedCostUsdc: string,
  supported: ReadonlySet<string>,
): Promise<PaymentRequirements[]> {
  const served = deps.config.networks.filter(({ network }) => supported.has(network))
  const ordered = [...served].sort(
    (a, b) => Number(b.chainId === session?.chainId) - Number(a.chainId === session?.chainId),
  )
  const accepts: PaymentRequirements[] = []
  for (const network of ordered) accepts.push(...(await entriesOn(deps, network, estimatedCostUsdc)))
  if (accepts.length > 0) return accepts
  throw new AppError('facilitator_unavailable', {
    detail: 'The facilitator serves none of the networks of this deployment.',
    paymentState: 'unused',
    nextAction: 'wait_and_retry',
  })
}

async function entriesOn(
  deps: RequestDeps,
  network: PaymentNetwork,
  estimatedCostUsdc: string,
): Promise<PaymentRequirements[]> {
  const { receiverAddress, aic } = deps.config
  const amount = parseDecimal(estimatedCostUsdc, USDC_DECIMALS).toString()
  const usdc = makeRequirements(network.network, network.usdc.address, amount, receiverAddress, network.usdc)
  if (network !== deps.config.networks[0] || aic.usdcRate === undefined) return [usdc]
  const token = await aicToken(deps)
  if (token === null) return [usdc]
  const aicUnits = aicAmount(estimatedCostUsdc, aic.usdcRate).toString()
  return [usdc, makeRequirements(network.network, token.address, aicUnits, receiverAddress, token.domain)]
}

/** The AIC payment token, checked against the chain at first use; null (and a log line) while it is not fit to be offered. */
async function aicToken(deps: RequestDeps): Promise<AicToken | null> {
  const known = aicTokens.get(deps.config)
  const now = deps.now().getTime()
  if (known !== undefined && (known.token !== null || now - known.checkedAt < recheckMs)) return known.token
  const token = await checkAicToken(deps)
  aicTokens.set(deps.config, { token, checkedAt: now })
  return token
}

async function checkAicToken(deps: RequestDeps): Promise<AicToken | null> {
  const { aic, networks } = deps.config
  const address = aic.paymentTokenAddress ?? aic.tokenAddress
  if (address === undefined) return null
  try {
    const name = await deps.chain.tokenName(networks[0].chainId, address)
    const domain = { name, version: AIC_VERSION }
    if (await deps.chain.isPayableToken(networks[0].chainId, address, domain)) return { address, domain }
    deps.log.warn('aic.not_payable', { reason: 'no EIP-3009, or another EIP-712 domain' })
  } catch (cause) {
    deps.log.warn('aic.not_payable', { reason: String(cause) })
  }
  return null
}
