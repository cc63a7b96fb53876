import type { Hex } from 'viem'
import { BATCH, type Transaction, type TransferCall } from './transfers.ts'

/** The acts of others on the chain: a payer cancels or delegates to code, or a stranger submits the authorization. */
export type Foreign = { do: 'cancel' | 'submit' | 'delegate' | 'undelegate'; call: TransferCall }

/** The outcome of a transfer: `code` when its payer's code failed it, `starved` when another payer's code left it no gas. */
export type Result = 'paid' | 'failed' | 'code' | 'starved'

export interface Block {
  transactions: Transaction[]
  foreign: Foreign[]
}

interface State {
  balances: Map<Hex, bigint>
  /** Authorizations that are used or cancelled, and the transaction that paid by each. */
  used: Map<Hex, Hex | null>
  counts: Map<Hex, number>
  /** For each transaction what became of each of its calls. */
  results: Map<Hex, { block: number; transaction: Transaction; results: Result[] }>
  /** Payers that delegate to code. It uses up all gas that it gets in a block, and accepts everything before that. */
  delegated: Set<Hex>
}

const freshState = (): State => ({
  balances: new Map(),
  used: new Map(),
  counts: new Map(),
  results: new Map(),
  delegated: new Set(),
})

/** The transfers on the chain: each payer starts with `funds`, and with `asksNobody` a payer's code gets the gas of a whole batch. */
function makeTransfers(funds: bigint, asksNobody: boolean) {
  const balanceOf = (payer: Hex, at: State): bigint => at.balances.get(payer) ?? funds

  function transfer(to: State, { payer, value, nonce }: TransferCall, hash: Hex): boolean {
    if (to.used.has(nonce) || balanceOf(payer, to) < value) return false
    to.used.set(nonce, hash)
    to.balances.set(payer, balanceOf(payer, to) - value)
    return true
  }

  /** The outcome of each call of one transaction. */
  function applyCalls(to: State, { to: target, calls, hash }: Transaction): Result[] {
    let isGasGone = false
    return calls.map((call) => {
      if (isGasGone) return 'starved'
      if (to.delegated.has(call.payer)) {
        isGasGone = target === BATCH && asksNobody
        return 'code'
      }
      return transfer(to, call, hash) ? 'paid' : 'failed'
    })
  }

  return { balanceOf, transfer, applyCalls }
}

/**
 * The blocks of one token's chain, and the balances and authorizations after them. Each payer starts with `funds`. Where `asksNobody`,
 * the batch contract does not look whether a payer has code, and limits no gas.
 */
export function makeLedger(funds: bigint, asksNobody = false) {
  const blocks: Block[] = [{ transactions: [], foreign: [] }]
  let state = freshState()
  const { balanceOf, transfer, applyCalls } = makeTransfers(funds, asksNobody)

  function apply(to: State, block: Block, number: number): void {
    for (const { do: what, call } of block.foreign) {
      if (what === 'delegate') to.delegated.add(call.payer)
      else if (what === 'undelegate') to.delegated.delete(call.payer)
      else if (what === 'submit') transfer(to, call, '0x')
      else if (!to.used.has(call.nonce)) to.used.set(call.nonce, null)
    }
    for (const transaction of block.transactions) {
      to.results.set(transaction.hash, { block: number, transaction, results: applyCalls(to, transaction) })
      to.counts.set(transaction.sender, transaction.accountNonce + 1)
    }
  }

  function add(block: Block): void {
    apply(state, block, blocks.length)
    blocks.push(block)
  }

  return {
    add,
    /** Replaces the last three blocks by empty ones, and one more. Returns what was in them. */
    replaceLast(): Block[] {
      const gone = blocks.splice(Math.max(1, blocks.length - 3))
      state = freshState()
      for (const [number, block] of blocks.entries()) apply(state, block, number)
      for (let count = 0; count <= gone.length; count += 1) add({ transactions: [], foreign: [] })
      return gone
    },
    height: (): number => blocks.length - 1,
    counts: (): Map<Hex, number> => new Map(state.counts),
    countOf: (sender: Hex): number => state.counts.get(sender) ?? 0,
    balanceOf: (payer: Hex): bigint => balanceOf(payer, state),
    isUsed: (nonce: Hex): boolean => state.used.has(nonce),
    /** The transaction that paid by this authorization on the chain of now; `0x` is a stranger's; null without one. */
    paidBy: (nonce: Hex): Hex | null => state.used.get(nonce) ?? null,
    resultOf: (hash: Hex) => state.results.get(hash) ?? null,
    isDelegated: (payer: Hex): boolean => state.delegated.has(payer),
    /** How often a transfer with this authorization came to this end on the chain of now. */
    countOfResult: (nonce: Hex, result: Result): number =>
      [...state.results.values()]
        .flatMap(({ transaction, results }) => transaction.calls.filter((_call, index) => results[index] === result))
        .filter((call) => call.nonce === nonce).length,
    /** Which of these calls would succeed now, one after the other. The token believes what a payer's code says in a simulation. */
    simulate(calls: readonly TransferCall[], to: Hex): Result[] {
      const trial: State = { ...freshState(), balances: new Map(state.balances), used: new Map(state.used) }
      return calls.map((call) => {
        if (to === BATCH && !asksNobody && state.delegated.has(call.payer)) return 'code'
        return transfer(trial, call, '0x') ? 'paid' : 'failed'
      })
    },
  }
}
