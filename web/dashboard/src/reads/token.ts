import { type Address, erc20Abi } from 'viem'
import { readContract } from 'viem/actions'
import { aicStakingAbi } from '../../../../contracts/abi/aic-staking.ts'
import { paymentSplitterAbi } from '../../../../contracts/abi/payment-splitter.ts'
import { wrappedAicAbi } from '../../../../contracts/abi/wrapped-aic.ts'
import type { DashboardConfig } from '../config.ts'
import type { ReadClient } from './state.ts'

/** AIC that was burned is sent there: AIC itself cannot be burned. */
const BURNED = '0x000000000000000000000000000000000000dEaD'

/** Where AIC is, atomic units. A contract that this build does not name is null. */
export interface TokenState {
  supply: bigint
  burned: bigint
  staking: { held: bigint; cooldownSeconds: number; token: Address } | null
  wrapped: { supply: bigint; held: bigint; burned: bigint } | null
  splitter: { burnBps: number; treasury: Address; burned: bigint; treasuryHolds: bigint } | null
}

/** Reads the token and the contracts around it. */
export async function readToken(client: ReadClient, config: DashboardConfig, blockNumber: bigint): Promise<TokenState> {
  const { addresses, staking, wrapped, splitter } = config
  const aic = { address: addresses.aicToken, abi: erc20Abi, blockNumber } as const
  const held = (owner: Address) => readContract(client, { ...aic, functionName: 'balanceOf', args: [owner] })
  const [supply, burned, ofStaking, ofWrapped, ofSplitter] = await Promise.all([
    readContract(client, { ...aic, functionName: 'totalSupply' }),
    held(BURNED),
    staking === null ? null : readStaking(client, staking, blockNumber),
    wrapped === null ? null : readWrapped(client, wrapped, held, blockNumber),
    splitter === null ? null : readSplitter(client, splitter, wrapped ?? addresses.aicToken, blockNumber),
  ])
  return { supply, burned, staking: ofStaking, wrapped: ofWrapped, splitter: ofSplitter }
}

async function readStaking(client: ReadClient, address: Address, blockNumber: bigint) {
  const staking = { address, abi: aicStakingAbi, blockNumber } as const
  const [token, cooldown] = await Promise.all([
    readContract(client, { ...staking, functionName: 'token' }),
    readContract(client, { ...staking, functionName: 'cooldown' }),
  ])
  const balance = { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address], blockNumber } as const
  return { token, cooldownSeconds: Number(cooldown), held: await readContract(client, balance) }
}

async function readWrapped(
  client: ReadClient,
  address: Address,
  heldOf: (owner: Address) => Promise<bigint>,
  blockNumber: bigint,
) {
  const wrapped = { address, abi: wrappedAicAbi, blockNumber } as const
  const [supply, burned, held] = await Promise.all([
    readContract(client, { ...wrapped, functionName: 'totalSupply' }),
    readContract(client, { ...wrapped, functionName: 'totalBurned' }),
    heldOf(address),
  ])
  return { supply, burned, held }
}

async function readSplitter(client: ReadClient, address: Address, token: Address, blockNumber: bigint) {
  const splitter = { address, abi: paymentSplitterAbi, blockNumber } as const
  const [burnBps, treasury, burned] = await Promise.all([
    readContract(client, { ...splitter, functionName: 'burnBps' }),
    readContract(client, { ...splitter, functionName: 'treasury' }),
    readContract(client, { ...splitter, functionName: 'totalBurned', args: [token] }),
  ])
  const balance = { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [treasury], blockNumber } as const
  return { burnBps: Number(burnBps), treasury, burned, treasuryHolds: await readContract(client, balance) }
}
