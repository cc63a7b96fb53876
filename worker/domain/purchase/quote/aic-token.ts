import type { RequestDeps } from '../../deps.ts'
import { AIC_VERSION } from './session-quote.ts'

const recheckMs = 60_000

/** The result of the last check of the AIC payment token; a good name is kept for the isolate's life. */
const names = new WeakMap<object, { name: string | null; checkedAt: number }>()

/**
 * The name of the AIC payment token, checked against the chain at first use; null where AIC has no price, and (with a log line)
 * while the token is not fit to be offered.
 */
export async function aicTokenName(deps: RequestDeps): Promise<string | null> {
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
