import { encodeFunctionData, type Hex } from 'viem'
import { paymentSplitterAbi } from '../../contracts/abi/payment-splitter.ts'
import { wrappedAicAbi } from '../../contracts/abi/wrapped-aic.ts'
import type { SplitOptions } from './options.ts'
import type { SplitPlan } from './plan.ts'

/** A file for the Transaction Builder of Safe{Wallet}, format 1.0. Its owners check it, sign it and send it as one transaction. */
export interface SafeBatch {
  version: '1.0'
  chainId: string
  /** Unix milliseconds. */
  createdAt: number
  meta: { name: string; description: string; createdFromSafeAddress: string }
  transactions: { to: string; value: '0'; data: Hex }[]
}

/**
 * The two calls of a split, for a receiver that is a Safe: approve exactly what is due, then split it. If a batch is sent twice, the
 * second one splits income that came later, or fails; what was split is never due again.
 */
export function safeBatchOf(options: SplitOptions, { due }: SplitPlan, now: Date): SafeBatch {
  const { network, token, splitter, operator } = options
  const approve = encodeFunctionData({ abi: wrappedAicAbi, functionName: 'approve', args: [splitter, due] })
  const split = encodeFunctionData({ abi: paymentSplitterAbi, functionName: 'split', args: [token, due] })
  return {
    version: '1.0',
    chainId: String(network.chainId),
    createdAt: now.getTime(),
    meta: {
      name: 'Split of AIC income',
      description: `Approves ${due} atomic units of ${token} for the splitter ${splitter} and splits them.`,
      createdFromSafeAddress: operator.address,
    },
    transactions: [
      { to: token, value: '0', data: approve },
      { to: splitter, value: '0', data: split },
    ],
  }
}
