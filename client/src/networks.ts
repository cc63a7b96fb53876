import type { Hex } from './account.ts'

/** Circle's USDC by network. An offer is checked against this table, whatever the service says about its token. */
export const USDC: Readonly<Record<string, Hex>> = {
  'eip155:1': '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  'eip155:11155111': '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238',
  'eip155:8453': '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  'eip155:84532': '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
}

/** The names of networks, by their CAIP-2 id. */
const NETWORK_NAMES: Readonly<Record<string, string>> = {
  'eip155:1': 'Ethereum',
  'eip155:11155111': 'Sepolia',
  'eip155:8453': 'Base',
  'eip155:84532': 'Base Sepolia',
}

/** The name of a network, or its CAIP-2 id where it has none here. */
export const networkName = (network: string): string => NETWORK_NAMES[network] ?? network

/** A local development chain. Its money is worth nothing, and each has its USDC at another address. */
export const DEV_NETWORK = 'eip155:31337'
