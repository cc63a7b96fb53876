/** The variables of the presale's site. All are required. */
export const VARIABLES = {
  token: 'NEXT_PUBLIC_PRESALE_TOKEN_ADDRESS',
  presale: 'NEXT_PUBLIC_PRESALE_CONTRACT_ADDRESS',
  claimModule: 'NEXT_PUBLIC_CLAIM_MODULE_ADDRESS',
  usdc: 'NEXT_PUBLIC_USDC_ADDRESS',
  phaseId: 'NEXT_PUBLIC_PRESALE_CURRENT_PHASE_ID',
  network: 'NEXT_PUBLIC_NETWORK_NAME',
  explorer: 'NEXT_PUBLIC_EXPLORER_BASE_URL',
} as const
