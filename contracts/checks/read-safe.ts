import {
  type Address,
  BaseError,
  type Client,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  ExecutionRevertedError,
  getAddress,
  keccak256,
  parseAbi,
  sliceHex,
  type Transport,
} from 'viem'
import { getCode, getStorageAt, readContract } from 'viem/actions'
import type { SafeFacts } from './known.ts'

const safeAbi = parseAbi([
  'function getThreshold() view returns (uint256)',
  'function getOwners() view returns (address[])',
  'function getModulesPaginated(address start, uint256 pageSize) view returns (address[] array, address next)',
])
/** The list of modules begins and ends with it. */
const SENTINEL: Address = '0x0000000000000000000000000000000000000001'
const PAGE = 10n
const ADDRESS_BYTES = 20

/** Reads an account's code, and what it answers as a Safe. Null when it has no code, or does not answer. */
export async function readSafe(client: Client<Transport>, address: Address): Promise<SafeFacts | null> {
  const code = await getCode(client, { address })
  if (code === undefined || code === '0x') return null
  const contract = { address, abi: safeAbi } as const
  const [slot, threshold, owners, modules] = await Promise.all([
    getStorageAt(client, { address, slot: '0x0' }),
    readContract(client, { ...contract, functionName: 'getThreshold' }).catch(ofOtherContract),
    readContract(client, { ...contract, functionName: 'getOwners' }).catch(ofOtherContract),
    readContract(client, { ...contract, functionName: 'getModulesPaginated', args: [SENTINEL, PAGE] }).catch(
      ofOtherContract,
    ),
  ])
  if (threshold === null || owners === null || modules === null || slot === undefined) return null
  const singleton = await getCode(client, { address: getAddress(sliceHex(slot, -ADDRESS_BYTES)) })
  return {
    ...{ proxy: keccak256(code), singleton: keccak256(singleton ?? '0x') },
    ...{ threshold, owners: owners.length, modules: modules[0].length },
  }
}

/** Null where the contract has no such function. Throws what else went wrong: a node that does not answer says nothing about it. */
export function ofOtherContract(error: unknown): null {
  const isAnswer = (cause: unknown): boolean =>
    cause instanceof ContractFunctionZeroDataError ||
    cause instanceof ContractFunctionRevertedError ||
    cause instanceof ExecutionRevertedError
  if (error instanceof BaseError && error.walk(isAnswer) !== null) return null
  throw error
}
