import type { TransactionReceipt } from 'viem'
import type { Log } from './log.ts'
import type { SettlementStore } from './store.ts'

export interface OutcomeOptions {
  network: string
  store: SettlementStore
  now(): Date
  log: Log
}

/** Stores what a receipt says of the settlement `key`, once. A revert is logged with the gas that it cost. */
export async function recordOutcome(
  { network, store, now, log }: OutcomeOptions,
  key: string,
  { status, gasUsed, transactionHash }: Pick<TransactionReceipt, 'status' | 'gasUsed' | 'transactionHash'>,
): Promise<void> {
  const isReverted = status !== 'success'
  const isFirst = await store.end(key, { isReverted, gasUsed, at: now() })
  if (!isFirst || !isReverted) return
  const payer = key.split(' ')[2]
  log('warn', 'settlement.reverted', { network, payer, hash: transactionHash, gas: `${gasUsed}` })
}
