import { concat, encodeAbiParameters, type Hex, pad, toEventSelector, toHex } from 'viem'
import { type Foreign, makeLedger, type Result } from './ledger.ts'
import { makeMempool } from './mempool.ts'
import { BATCH, readTransaction, type TransferCall } from './transfers.ts'

export const TOKEN: Hex = `0x${'70'.repeat(20)}`
export const BLOCK_MS = 2_000
export const GWEI = 1_000_000_000n
const GAS_PER_TRANSFER = 50_000n
const USED: Hex = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const TRIED = toEventSelector('event Tried(address token, address from, bytes32 nonce, uint8 result)')
const GAS_FUNDS = 10n ** 18n

export class RpcRefusal extends Error {
  readonly code: number

  constructor(message: string, code = -32_000) {
    super(message)
    this.code = code
  }
}

/** One token on one chain: a mempool, blocks that may be replaced, and a base fee. */
export function makeTokenChain(funds: bigint, asksNobody = false) {
  const { add, replaceLast, counts, ...ledger } = makeLedger(funds, asksNobody)
  const { at, put, putBack, take, pendingCount, ...mempool } = makeMempool()
  const waitingForeign: Foreign[] = []
  const gasFunds = new Map<Hex, bigint>()
  let baseFee = GWEI
  let isStalled = false
  let reorganizations = 0
  const gasFundsOf = (sender: Hex): bigint => gasFunds.get(sender) ?? GAS_FUNDS

  return {
    ...ledger,
    ...mempool,
    mine(): void {
      if (!isStalled) add({ foreign: waitingForeign.splice(0), transactions: take(counts(), baseFee) })
    },
    /** The last three blocks are replaced by empty ones. What was in them waits again, or is lost where `forgets`. */
    reorganize(forgets: boolean): void {
      const gone = replaceLast()
      reorganizations += 1
      waitingForeign.unshift(...gone.flatMap(({ foreign }) => foreign))
      if (!forgets) for (const transaction of gone.flatMap(({ transactions }) => transactions)) putBack(transaction)
    },
    submit(raw: Hex): Hex {
      const transaction = readTransaction(raw)
      const { hash, accountNonce, sender, maxFee, gas } = transaction
      const known = at(transaction)
      if (known?.hash === hash || ledger.resultOf(hash) !== null) throw new RpcRefusal('already known')
      if (accountNonce < ledger.countOf(sender)) throw new RpcRefusal('nonce too low')
      if (gasFundsOf(sender) < gas * maxFee) throw new RpcRefusal('insufficient funds for gas * price + value')
      if (known !== undefined && maxFee * 10n < known.maxFee * 11n)
        throw new RpcRefusal('replacement transaction underpriced')
      put(transaction)
      return hash
    },
    foreign: (what: Foreign['do'], call: TransferCall): void => void waitingForeign.push({ do: what, call }),
    stall: (stalled: boolean): void => {
      isStalled = stalled
    },
    setBaseFee: (fee: bigint): void => {
      baseFee = fee
    },
    baseFee: (): bigint => baseFee,
    setGasFunds: (sender: Hex, wei: bigint): void => void gasFunds.set(sender, wei),
    gasFunds: gasFundsOf,
    pendingCountOf: (sender: Hex): number => pendingCount(sender, ledger.countOf(sender)),
    /** The number of reorganizations so far. */
    reorganizations: (): number => reorganizations,
  }
}

export type TokenChain = ReturnType<typeof makeTokenChain>

/** A receipt as a node answers it. With `claimsAll` every transfer of a transaction that succeeded is in it. */
export function receiptOf(chain: TokenChain, hash: Hex, claimsAll = false): object | null {
  const result = chain.resultOf(hash)
  if (result === null) return null
  const { block, transaction, results } = result
  const isBatch = transaction.to === BATCH
  const facts = { blockNumber: toHex(block), blockHash: pad('0x1'), transactionHash: hash, transactionIndex: '0x0' }
  const isAllGone = results.includes('starved')
  const events = transaction.calls.flatMap((call, index) => {
    const own = results[index] ?? 'failed'
    const isPaid = own === 'paid' || (claimsAll && isBatch)
    return [...(isPaid ? transferEvents(call) : []), ...(isBatch && own !== 'starved' ? [triedEvent(call, own)] : [])]
  })
  const logs = events.map((event, index) => ({ ...facts, ...event, logIndex: toHex(index), removed: false }))
  const used = 21_000n + GAS_PER_TRANSFER * BigInt(transaction.calls.length)
  const gasUsed = toHex(isAllGone || (!isBatch && results[0] === 'code') ? transaction.gas : used)
  return {
    ...facts,
    ...{ from: transaction.sender, to: transaction.to, contractAddress: null, logs, logsBloom: '0x', type: '0x2' },
    ...{ gasUsed, cumulativeGasUsed: gasUsed, effectiveGasPrice: toHex(GWEI) },
    status: isBatch || results[0] === 'paid' ? '0x1' : '0x0',
  }
}

interface Event {
  address: Hex
  topics: Hex[]
  data: Hex
}

const transferEvents = ({ payer, value, nonce }: TransferCall): Event[] => [
  { address: TOKEN, data: '0x', topics: [USED, pad(payer), nonce] },
  {
    address: TOKEN,
    data: encodeAbiParameters([{ type: 'uint256' }], [value]),
    topics: [TRANSFER, pad(payer), pad('0x99')],
  },
]

/** The batch contract's `Result` of what became of a transfer. */
export const RESULTS: Record<Result, number> = { paid: 0, code: 1, failed: 3, starved: 3 }

const triedEvent = ({ payer, nonce }: TransferCall, result: Result): Event => ({
  address: BATCH,
  data: concat([pad(TOKEN), pad(payer), nonce, toHex(RESULTS[result], { size: 32 })]),
  topics: [TRIED],
})
