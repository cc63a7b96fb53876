import { type Hex, parseEventLogs } from 'viem'
import { waitForTransactionReceipt, writeContract } from 'viem/actions'
import { paymentSplitterAbi } from '../../contracts/abi/payment-splitter.ts'
import { wrappedAicAbi } from '../../contracts/abi/wrapped-aic.ts'
import type { SplitOptions } from './options.ts'
import type { SplitClient, SplitPlan } from './plan.ts'

/** The result of a finished split; amounts in atomic units. */
export interface SplitOutcome {
  transaction: Hex
  /** Undefined when an earlier run had approved exactly this amount. */
  approval?: Hex
  burned: bigint
  toTreasury: bigint
}

const WAIT_MS = 180_000

/** With the token's errors, so that a refusal shows its name. */
const splitAbi = [...paymentSplitterAbi, ...wrappedAicAbi] as const

/**
 * Approves exactly what is due and splits it. Both transactions have the nonces of the plan: if the operator's wallet sent anything
 * since, such as the split of another run, they are refused and nothing moves twice. Throws when one of them is refused, reverts or
 * is not mined within three minutes; then run again.
 */
export async function executeSplit(
  client: SplitClient,
  options: SplitOptions,
  { due, allowance, nonce }: SplitPlan,
): Promise<SplitOutcome> {
  const { token, splitter, operator: account } = options
  if (!('signTransaction' in account)) throw new Error('A Safe signs for itself: use --safe.')
  const { chain } = client
  const needsApproval = allowance !== due
  const approval = needsApproval
    ? await writeContract(client, {
        ...{ account, chain, nonce, address: token, abi: wrappedAicAbi },
        ...{ functionName: 'approve', args: [splitter, due] },
      })
    : undefined
  if (approval) await mined(client, approval)
  const transaction = await writeContract(client, {
    ...{ account, chain, nonce: needsApproval ? nonce + 1 : nonce, address: splitter, abi: splitAbi },
    ...{ functionName: 'split', args: [token, due] },
  })
  const { logs } = await mined(client, transaction)
  const [event] = parseEventLogs({ abi: paymentSplitterAbi, eventName: 'Split', logs })
  if (!event) throw new Error(`${transaction} was mined without a Split event of ${splitter}.`)
  const { burned, toTreasury } = event.args
  return { transaction, ...(approval && { approval }), burned, toTreasury }
}

async function mined(client: SplitClient, hash: Hex) {
  const receipt = await waitForTransactionReceipt(client, { hash, timeout: WAIT_MS })
  if (receipt.status !== 'success') throw new Error(`Transaction ${hash} reverted; nothing was moved by it.`)
  return receipt
}
