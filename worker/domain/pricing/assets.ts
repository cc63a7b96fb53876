import { AIC_DECIMALS, formatAmount, USDC_DECIMALS } from '../../../protocol/money.ts'

export interface AssetAmount {
  chainId: number
  asset: string
  amountAtomic: bigint
}

/** The tokens that amounts can be in. */
interface Tokens {
  networks: readonly [Network, ...Network[]]
  aic: { paymentTokenAddress?: string | undefined }
}

interface Network {
  chainId: number
  usdc: { address: string }
}

/** Sums of amounts per asset as decimal strings: USDC of all networks together, and AIC (on the first network only). */
export function sumByAsset(config: Tokens, amounts: readonly AssetAmount[]): { usdc: string; aic: string } {
  const aicToken = config.aic.paymentTokenAddress?.toLowerCase()
  const isAic = ({ chainId, asset }: AssetAmount): boolean =>
    chainId === config.networks[0].chainId && asset.toLowerCase() === aicToken
  const isUsdc = ({ chainId, asset }: AssetAmount): boolean =>
    config.networks.some((n) => n.chainId === chainId && n.usdc.address.toLowerCase() === asset.toLowerCase())
  const sum = (isWanted: (amount: AssetAmount) => boolean): bigint =>
    amounts.filter(isWanted).reduce((total, { amountAtomic }) => total + amountAtomic, 0n)
  return { usdc: formatAmount(sum(isUsdc), USDC_DECIMALS), aic: formatAmount(sum(isAic), AIC_DECIMALS) }
}
