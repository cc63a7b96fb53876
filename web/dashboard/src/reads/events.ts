import { type Address, type DecodeEventLogReturnType, decodeEventLog, type Hex, toEventSelector } from 'viem'
import { aicStakingAbi } from '../../../../contracts/abi/aic-staking.ts'
import { claimModuleAbi } from '../../../../contracts/abi/claim-module.ts'
import { liquidityVaultAbi } from '../../../../contracts/abi/liquidity-vault.ts'
import { paymentSplitterAbi } from '../../../../contracts/abi/payment-splitter.ts'
import { presaleAbi } from '../../../../contracts/abi/presale.ts'
import { presaleVaultAbi } from '../../../../contracts/abi/presale-vault.ts'
import { wrappedAicAbi } from '../../../../contracts/abi/wrapped-aic.ts'
import type { ChainLog } from '../../../shared/chain-reads/log-follower.ts'

/** The four vaults have the same events. */
const ABI = [
  ...presaleAbi,
  ...presaleVaultAbi,
  ...claimModuleAbi,
  ...liquidityVaultAbi,
  ...aicStakingAbi,
  ...wrappedAicAbi,
  ...paymentSplitterAbi,
] as const

const NAMES = [
  ...(['Purchased', 'Finalized', 'Cancelled', 'Refunded', 'Paused', 'Unpaused'] as const),
  ...(['Routed', 'TgeSet', 'Claimed', 'UnsoldSwept', 'Spent', 'PayeeSet'] as const),
  ...(['RoleGranted', 'RoleRevoked', 'DefaultAdminTransferScheduled', 'DefaultAdminTransferCanceled'] as const),
  ...(['Staked', 'Unstaked', 'Withdrawn', 'Burned', 'Split'] as const),
]
export type EventName = (typeof NAMES)[number]

interface Place {
  contract: Address
  block: bigint
  transaction: Hex
  logIndex: number
  /** Unix seconds. */
  at: number
}

type Decoded = DecodeEventLogReturnType<typeof ABI, EventName>
/** One event of a contract that the dashboard monitors. Amounts are atomic units. */
export type ChainEvent = Decoded & Place
export type EventOf<Name extends EventName> = Extract<ChainEvent, { eventName: Name }>

const isWanted = (name: string): name is EventName => NAMES.some((wanted) => wanted === name)

/** First topics of all events that are read. */
export const EVENT_TOPICS: readonly Hex[] = [
  ...new Set(ABI.flatMap((item) => (item.type === 'event' && isWanted(item.name) ? [toEventSelector(item)] : []))),
]
export const PURCHASED_TOPIC = toEventSelector(
  'Purchased(address indexed,uint256 indexed,uint256,uint256,address,uint256)',
)

/** Decodes logs. A log of another contract's event that only has the same first topic is left out. */
export function eventsOf(logs: readonly ChainLog[]): ChainEvent[] {
  return logs.flatMap(({ address, topics, data, blockNumber, transactionHash, logIndex, timestamp }) => {
    const place = { contract: address, block: blockNumber, transaction: transactionHash, logIndex, at: timestamp }
    try {
      const decoded = decodeEventLog({ abi: ABI, topics, data })
      return isDecoded(decoded) ? [{ ...decoded, ...place }] : []
    } catch {
      return []
    }
  })
}

const isDecoded = (event: { eventName: string }): event is Decoded => isWanted(event.eventName)

/** The events of one name, in their order. */
export function named<Name extends EventName>(events: readonly ChainEvent[], name: Name): EventOf<Name>[] {
  return events.filter((event): event is EventOf<Name> => event.eventName === name)
}
