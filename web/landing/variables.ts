import { addressRule, type EnvRule, oneOf } from '../build/required-env.ts'
import { CHAIN_IDS } from '../shared/chain-reads/client.ts'

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

const phaseRule: EnvRule = (value) => (/^[1-8]$/.test(value) ? null : 'must be the number of a phase, 1 to 8')
const urlRule: EnvRule = (value) =>
  URL.parse(value)?.protocol === 'https:' ? null : 'must be an address that begins with https://'

/** The rule for each variable. */
export const RULES: Readonly<Record<string, EnvRule>> = {
  [VARIABLES.token]: addressRule,
  [VARIABLES.presale]: addressRule,
  [VARIABLES.claimModule]: addressRule,
  [VARIABLES.usdc]: addressRule,
  [VARIABLES.phaseId]: phaseRule,
  [VARIABLES.network]: oneOf(...Object.keys(CHAIN_IDS)),
  [VARIABLES.explorer]: urlRule,
}
