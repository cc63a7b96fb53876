import {
  decodeFunctionData,
  encodeAbiParameters,
  type Hex,
  keccak256,
  multicall3Abi,
  pad,
  parseAbi,
  parseTransaction,
  toHex,
} from 'viem'
import { MULTICALL3 } from '../../../facilitator/payment-call.ts'

export const TOKEN: Hex = `0x${'70'.repeat(20)}`
export const BLOCK_MS = 2_000
export const GWEI = 1_000_000_000n
const GAS_PER_TRANSFER = 50_000n
const USED: Hex = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const tokenAbi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function balanceOf(address account) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
])

/** One `transferWithAuthorization`. */
export interface TransferCall {
  payer: Hex
  value: bigint
  nonce: Hex
}

interface Transaction {
  hash: Hex
  sender: Hex
  accountNonce: number
  maxFee: bigint
  tip: bigint
  gas: bigint
  to: Hex
  calls: TransferCall[]
}

/** What others do on the chain: a payer cancels, or a stranger submits the authorization. */
type Foreign = { do: 'cancel' | 'submit'; call: TransferCall }

interface Block {
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

export class RpcRefusal extends Error {
  readonly code: number

  constructor(message: string, code = -32_000) {
    super(message)
    this.code = code
  }
}

const freshState = (): State => ({ balances: new Map(), used: new Map(), counts: new Map(), results: new Map() })

/** One token on one chain: a mempool, blocks that may be replaced, and a base fee. */
export function makeTokenChain(funds: bigint) {
  const blocks: Block[] = [{ transactions: [], foreign: [] }]
  const mempool = new Map<string, Transaction>()
  /** What was replaced at higher fees: a miner may still have it. */
  const replaced = new Map<string, Transaction>()
  const waitingForeign: Foreign[] = []
  const gasFunds = new Map<Hex, bigint>()
  let state = freshState()
  let baseFee = GWEI
  let isStalled = false
  /** The number of reorganizations so far. */
  let reorganizations = 0
  /** Every transaction that was ever in a block. */
  const everMined = new Map<Hex, Transaction>()

  const balanceOf = (payer: Hex, at = state): bigint => at.balances.get(payer) ?? funds
  const countOf = (sender: Hex): number => state.counts.get(sender) ?? 0
  const placeOf = ({ sender, accountNonce }: Transaction): string => `${sender} ${accountNonce}`

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

  function mine(): void {
    if (isStalled) return
    const block: Block = { transactions: [], foreign: waitingForeign.splice(0) }
    const counts = new Map(state.counts)
    const inOrder = [...mempool.values()].toSorted((a, b) => a.accountNonce - b.accountNonce)
    for (const transaction of inOrder) {
      const { sender, accountNonce, maxFee } = transaction
      if ((counts.get(sender) ?? 0) !== accountNonce || maxFee < baseFee) continue
      counts.set(sender, accountNonce + 1)
      block.transactions.push(transaction)
      mempool.delete(placeOf(transaction))
      everMined.set(transaction.hash, transaction)
    }
    apply(state, block, blocks.length)
    blocks.push(block)
  }

  /** The last three blocks are replaced by empty ones. What was in them waits again, or is lost where `forgets`. */
  function reorganize(forgets: boolean): void {
    const gone = blocks.splice(Math.max(1, blocks.length - 3))
    reorganizations += 1
    state = freshState()
    for (const [number, block] of blocks.entries()) apply(state, block, number)
    waitingForeign.unshift(...gone.flatMap(({ foreign }) => foreign))
    for (const transaction of gone.flatMap(({ transactions }) => transactions)) {
      if (!forgets && !mempool.has(placeOf(transaction))) mempool.set(placeOf(transaction), transaction)
    }
    for (let count = 0; count <= gone.length; count += 1) {
      apply(state, { transactions: [], foreign: [] }, blocks.length)
      blocks.push({ transactions: [], foreign: [] })
    }
  }

  function submit(raw: Hex): Hex {
    const transaction = read(raw)
    const { hash, accountNonce, sender, maxFee, gas } = transaction
    const known = mempool.get(placeOf(transaction))
    if (known?.hash === hash || state.results.has(hash)) throw new RpcRefusal('already known')
    if (accountNonce < countOf(sender)) throw new RpcRefusal('nonce too low')
    if ((gasFunds.get(sender) ?? 10n ** 18n) < gas * maxFee)
      throw new RpcRefusal('insufficient funds for gas * price + value')
    if (known !== undefined && maxFee * 10n < known.maxFee * 11n)
      throw new RpcRefusal('replacement transaction underpriced')
    if (known !== undefined) replaced.set(placeOf(transaction), known)
    mempool.set(placeOf(transaction), transaction)
    return hash
  }

  return {
    mine,
    reorganize,
    submit,
    foreign: (what: Foreign['do'], call: TransferCall): void => void waitingForeign.push({ do: what, call }),
    stall: (stalled: boolean): void => {
      isStalled = stalled
    },
    setBaseFee: (fee: bigint): void => {
      baseFee = fee
    },
    baseFee: (): bigint => baseFee,
    setGasFunds: (sender: Hex, wei: bigint): void => void gasFunds.set(sender, wei),
    gasFunds: (sender: Hex): bigint => gasFunds.get(sender) ?? 10n ** 18n,
    /** Miners take the transactions that were replaced, not those that replaced them. */
    oldOnesWin(): void {
      for (const place of mempool.keys()) mempool.set(place, replaced.get(place) ?? mempool.get(place) ?? fault())
    },
    /** A node that lost its mempool. */
    forgetMempool: (): void => mempool.clear(),
    height: (): number => blocks.length - 1,
    countOf,
    pendingCountOf(sender: Hex): number {
      let count = countOf(sender)
      while (mempool.has(`${sender} ${count}`)) count += 1
      return count
    },
    balanceOf: (payer: Hex): bigint => balanceOf(payer),
    isUsed: (nonce: Hex): boolean => state.used.has(nonce),
    /** The transaction that paid by this authorization on the chain of now; `0x` is a stranger's; null without one. */
    paidBy: (nonce: Hex): Hex | null => state.used.get(nonce) ?? null,
    resultOf: (hash: Hex) => state.results.get(hash) ?? null,
    /** Whether one of our transactions with this authorization waits for a block. */
    waiting: (nonce: Hex): Transaction[] =>
      [...mempool.values()].filter(({ calls }) => calls.some((call) => call.nonce === nonce)),
    mempoolSize: (): number => mempool.size,
    reorganizations: (): number => reorganizations,
    /** Which of these calls would succeed now, one after the other. */
    simulate(calls: readonly TransferCall[]): boolean[] {
      const trial: State = { ...freshState(), balances: new Map(state.balances), used: new Map(state.used) }
      return calls.map((call) => transfer(trial, call, '0x'))
    },
    /** Whether the transaction with this hash was ever in a block. */
    wasMined: (hash: Hex): boolean => everMined.has(hash),
  }
}

export type TokenChain = ReturnType<typeof makeTokenChain>

function fault(): never {
  throw new Error('a transaction left the mempool')
}

/** A transaction of the simulated signers: they put their address where the signature's r is. */
function read(raw: Hex): Transaction {
  const {
    r = '0x',
    to,
    nonce = 0,
    maxFeePerGas = 0n,
    maxPriorityFeePerGas = 0n,
    gas = 0n,
    data = '0x',
  } = parseTransaction(raw)
  return {
    hash: keccak256(raw),
    sender: `0x${r.slice(-40)}`,
    accountNonce: nonce,
    maxFee: maxFeePerGas,
    tip: maxPriorityFeePerGas,
    gas,
    to: to ?? '0x',
    calls: callsOf(to ?? '0x', data),
  }
}

/** The transfers in a call of the token or of Multicall3. */
export function callsOf(to: Hex, data: Hex): TransferCall[] {
  if (to.toLowerCase() !== MULTICALL3.toLowerCase()) return [transferOf(data)]
  const { functionName, args } = decodeFunctionData({ abi: multicall3Abi, data })
  if (functionName !== 'aggregate3') throw new Error(`${functionName} is not simulated`)
  return args[0].map(({ callData }) => transferOf(callData))
}

function transferOf(data: Hex): TransferCall {
  const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data })
  if (functionName !== 'transferWithAuthorization') throw new Error(`${functionName} is not simulated`)
  const [from, , value, , , nonce] = args
  return { payer: `0x${from.slice(2).toLowerCase()}`, value, nonce }
}

/** A receipt as a node answers it. With `claimsAll` every transfer of a transaction that succeeded is in it. */
export function receiptOf(chain: TokenChain, hash: Hex, claimsAll = false): object | null {
  const result = chain.resultOf(hash)
  if (result === null) return null
  const { block, transaction, succeeded } = result
  const isBatch = transaction.to.toLowerCase() === MULTICALL3.toLowerCase()
  const facts = { blockNumber: toHex(block), blockHash: pad('0x1'), transactionHash: hash, transactionIndex: '0x0' }
  const logs = transaction.calls
    .filter((_call, index) => succeeded[index] || (claimsAll && isBatch))
    .flatMap(({ payer, value, nonce }, index) => [
      {
        ...facts,
        address: TOKEN,
        data: '0x',
        topics: [USED, pad(payer), nonce],
        logIndex: toHex(2 * index),
        removed: false,
      },
      {
        ...{ ...facts, address: TOKEN, data: encodeAbiParameters([{ type: 'uint256' }], [value]) },
        ...{ topics: [TRANSFER, pad(payer), pad('0x99')], logIndex: toHex(2 * index + 1), removed: false },
      },
    ])
  const gasUsed = toHex(21_000n + GAS_PER_TRANSFER * BigInt(transaction.calls.length))
  return {
    ...facts,
    ...{ from: transaction.sender, to: transaction.to, contractAddress: null, logs, logsBloom: '0x', type: '0x2' },
    ...{ gasUsed, cumulativeGasUsed: gasUsed, effectiveGasPrice: toHex(GWEI) },
    status: isBatch || succeeded[0] ? '0x1' : '0x0',
  }
}
