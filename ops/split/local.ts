import { treasuryKey } from '../../dev/anvil/accounts.ts'
import { DEV_BURN_BPS } from '../../dev/anvil/deploy-aic.ts'
import { findRunningStack, type StackInfo } from '../../dev/stack/stack-info.ts'
import { KNOWN_NETWORKS } from '../../worker/networks.ts'

/** The variables that fit the stack running on this machine, and its receiver's key. Throws when none runs. */
export async function readLocalEnv(): Promise<Record<string, string | undefined>> {
  const stack = await findRunningStack()
  if (!stack) throw new Error('No stack is running; start one with `npm start`.')
  return envOf(stack)
}

/** The variables of `npm run split` on a local stack. */
export function envOf(stack: StackInfo): Record<string, string | undefined> {
  return {
    ENVIRONMENT: 'development',
    ENABLE_DEV_CHAIN: 'true',
    PAYMENT_NETWORKS: stack.network,
    [KNOWN_NETWORKS[stack.network]?.rpcVariable ?? 'DEV_RPC_URL']: stack.rpcUrl,
    DEV_USDC_ADDRESS: stack.usdc,
    DATABASE_URL: stack.databaseUrl,
    DATABASE_HTTP_URL: stack.databaseHttpUrl,
    AIC_PAYMENT_TOKEN_ADDRESS: stack.contracts['wrappedAic'],
    AIC_SPLITTER_ADDRESS: stack.contracts['splitter'],
    AIC_BURN_BPS: `${DEV_BURN_BPS}`,
    SPLIT_PRIVATE_KEY: treasuryKey().privateKey,
  }
}
