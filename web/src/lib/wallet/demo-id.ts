import { DEV_CHAIN } from '../dev-chain.ts'
import type { WalletOption } from './provider.ts'

export const DEMO_ID = 'local.coinslot.demo'

/** True for the demo wallet, which a production build does not have. */
export function isDemo(option: WalletOption): boolean {
  return DEV_CHAIN && option.id === DEMO_ID
}
