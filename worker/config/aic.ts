import { AIC_DECIMALS } from '../../protocol/money.ts'
import type { AicConfig } from './config.ts'
import type { EnvReader } from './reader.ts'
import * as check from './schemas.ts'

const ALL_BPS = 10_000

/** The parts of AIC that this deployment uses; each is optional, and each that needs another says so. */
export function readAic(read: EnvReader): AicConfig {
  const tokenAddress = read.optional('AIC_TOKEN_ADDRESS', check.address)
  const stakingAddress = read.optional('AIC_STAKING_ADDRESS', check.address)
  const paymentTokenAddress = read.optional('AIC_PAYMENT_TOKEN_ADDRESS', check.address) ?? tokenAddress
  const splitterAddress = read.optional('AIC_SPLITTER_ADDRESS', check.address)
  const usdcRate = read.optional('AIC_USDC_RATE', check.positiveDecimal(AIC_DECIMALS))
  const burnBps = read.optional('AIC_BURN_BPS', check.integer(0, ALL_BPS))
  return {
    ...(tokenAddress !== undefined && { tokenAddress }),
    ...(stakingAddress !== undefined && { stakingAddress }),
    ...(paymentTokenAddress !== undefined && { paymentTokenAddress }),
    ...(splitterAddress !== undefined && { splitterAddress }),
    ...(usdcRate !== undefined && { usdcRate }),
    ...(burnBps !== undefined && { burnBps }),
  }
}

/** Names the fault when the receiver of payments is an AIC contract: nothing could ever leave from there. */
export function checkReceiver(read: EnvReader, receiver: string | undefined, aic: AicConfig): void {
  const contracts = [aic.tokenAddress, aic.stakingAddress, aic.paymentTokenAddress, aic.splitterAddress]
  if (receiver === undefined || !contracts.some((address) => address?.toLowerCase() === receiver.toLowerCase())) return
  read.fault('RECEIVER_ADDRESS', 'must be a wallet: an AIC contract cannot send on what it receives')
}

/** True if tiers are enforced; then there must be something to read them from, or every gated model would be shut. */
export function readEnforceTiers(read: EnvReader, aic: AicConfig): boolean {
  const enforce = read.optional('ENFORCE_TIERS', check.flag) ?? false
  if (enforce && (aic.tokenAddress === undefined || aic.stakingAddress === undefined)) {
    read.fault('ENFORCE_TIERS', 'needs AIC_TOKEN_ADDRESS and AIC_STAKING_ADDRESS')
  }
  return enforce
}
