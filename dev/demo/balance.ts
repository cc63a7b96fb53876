import { type Address, createClient, formatUnits, getAddress, http, parseAbi } from 'viem'
import { readContract } from 'viem/actions'

const abi = parseAbi(['function balanceOf(address account) view returns (uint256)'])

/** USDC of an account as the chain itself says, a decimal string with 6 decimals. */
export async function usdcBalance(rpcUrl: string, usdc: Address, account: Address): Promise<string> {
  const client = createClient({ transport: http(rpcUrl) })
  const address = getAddress(usdc)
  const atomic = await readContract(client, { address, abi, functionName: 'balanceOf', args: [account] })
  const [whole = '0', fraction = ''] = formatUnits(atomic, 6).split('.')
  return `${whole}.${fraction.padEnd(6, '0')}`
}
