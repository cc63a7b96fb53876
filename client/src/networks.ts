import type { Hex } from './account.ts'

/** Circle's USDC where the service may be paid in it: what is signed is held against this table, not against the service's word. */
export const USDC: Readonly<Record<string, Hex>> = {
  'eip155:1': '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  'eip155:11155111': '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238',
  'eip155:8453': '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  'eip155:84532': '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
}

/** As people call them; USDC is sent on a network by its name. */
export const NETWORK_NAMES: Readonly<Record<string, string>> = {
  'eip155:1': 'Ethereum',
  'eip155:11155111': 'Sepolia',
  'eip155:8453': 'Base',
  'eip155:84532': 'Base Sepolia',
}

/** A developer's own chain: its money is worth nothing, and each has its USDC elsewhere. */
export const DEV_NETWORK = 'eip155:31337'
