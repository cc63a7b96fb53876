import type { Hex } from 'viem'
import type { Transaction, TransferCall } from './transfers.ts'

/** What others do on the chain: a payer cancels, or a stranger submits the authorization. */
export type Foreign = { do: 'cancel' | 'submit'; call: TransferCall }

export interface Block {
  transactions: Transaction[]
  foreign: Foreign[]
}

interface State {
  balances: Map<Hex, bigint>
  /** Authorizations that are used or cancelled, and the transaction that paid by each. */
  used: Map<Hex, Hex | null>
  counts: Map<Hex, number>
  /** For each transaction which of its calls succeeded. */
  results: Map<Hex, { block: number; transaction: Transaction; succeeded: boolean[] }>
}

const freshState = (): State => ({ balances: new Map(), used: new Map(), counts: new Map(), results: new Map() })

/** The blocks of one token's chain, and the balances and authorizations after them. Each payer starts with `funds`. */
export function makeLedger(funds: bigint) {
  const blocks: Block[] = [{ transactions: [], foreign: [] }]
  let state = freshState()
  const balanceOf = (payer: Hex, at = state): bigint => at.balances.get(payer) ?? funds

  function transfer(to: State, { payer, value, nonce }: TransferCall, hash: Hex): boolean {
    if (to.used.has(nonce) || balanceOf(payer, to) < value) return false
    to.used.set(nonce, hash)
    to.balances.set(payer, balanceOf(payer, to) - value)
    return true
  }

  function apply(to: State, block: Block, number: number): void {
    for (const { do: what, call } of block.foreign) {
      if (what === 'submit') transfer(to, call, '0x')
      else if (!to.used.has(call.nonce)) to.used.set(call.nonce, null)
    }
    for (const transaction of block.transactions) {
      const succeeded = transaction.calls.map((call) => transfer(to, call, transaction.hash))
      to.results.set(transaction.hash, { block: number, transaction, succeeded })
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
    balanceOf: (payer: Hex): bigint => balanceOf(payer),
    isUsed: (nonce: Hex): boolean => state.used.has(nonce),
    /** The transaction that paid by this authorization on the chain of now; `0x` is a stranger's; null without one. */
    paidBy: (nonce: Hex): Hex | null => state.used.get(nonce) ?? null,
    resultOf: (hash: Hex) => state.results.get(hash) ?? null,
    /** Which of these calls would succeed now, one after the other. */
    simulate(calls: readonly TransferCall[]): boolean[] {
      const trial: State = { ...freshState(), balances: new Map(state.balances), used: new Map(state.used) }
      return calls.map((call) => transfer(trial, call, '0x'))
    },
  }
}
