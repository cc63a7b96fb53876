import type { ContractName } from '../../contracts/checks/runtimes.ts'

/** The variable of each contract's address. All are required. */
export const ADDRESS_VARIABLES: Readonly<Record<ContractName | 'usdc', string>> = {
  presale: 'NEXT_PUBLIC_PRESALE_ADDRESS',
  presaleVault: 'NEXT_PUBLIC_PRESALE_VAULT_ADDRESS',
  liquidityVault: 'NEXT_PUBLIC_LIQUIDITY_VAULT_ADDRESS',
  devVault: 'NEXT_PUBLIC_DEV_VAULT_ADDRESS',
  teamVault: 'NEXT_PUBLIC_TEAM_VAULT_ADDRESS',
  marketingVault: 'NEXT_PUBLIC_MARKETING_VAULT_ADDRESS',
  claimModule: 'NEXT_PUBLIC_CLAIM_MODULE_ADDRESS',
  aicToken: 'NEXT_PUBLIC_AIC_TOKEN_ADDRESS',
  usdc: 'NEXT_PUBLIC_USDC_ADDRESS',
}

/** Contracts that are not part of the launch. Without its variable, a contract is not shown. */
export const OPTIONAL_VARIABLES = {
  staking: 'NEXT_PUBLIC_AIC_STAKING_ADDRESS',
  wrapped: 'NEXT_PUBLIC_AIC_PAYMENT_TOKEN_ADDRESS',
  splitter: 'NEXT_PUBLIC_PAYMENT_SPLITTER_ADDRESS',
} as const
