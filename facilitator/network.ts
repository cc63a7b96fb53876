import { createHash } from 'node:crypto'
import { type Client, createClient, defineChain, type Hex, http, parseAbi, type Transport } from 'viem'
import { estimateGas, getBalance, getBlock, getCode, readContract } from 'viem/actions'
import { makeAdmission, NotAdmitted } from './admission.ts'
import { presentFees } from './fees.ts'
import type { GasBudget } from './gas-budget.ts'
import { type Key, makeKey } from './key.ts'
import type { Log } from './log.ts'
import { recordOutcomes, type Verdict, verdictOf } from './outcome.ts'
import { type Call, gasBound, MULTICALL3 } from './payment-call.ts'
import { makeReceipts } from './receipts.ts'
import { resendOfOldKeys } from './resend.ts'
import { KeyOut } from './send-errors.ts'
import type { Payment, SigningKey } from './sender.ts'
import type { Settlement, SettlementStore, TransactionId } from './store.ts'
import type { Timing } from './timing.ts'

export interface NetworkOptions {
  network: `eip155:${string}`
  /** Default: HTTP at `rpcUrl`. */
  transport?: Transport
  rpcUrl: string
  /** Every key of this network, also those that another process holds. */
  keys: readonly SigningKey[]
  /** Payments in one transaction at most; with 1 each has its own. */
  maxBatch: number
  /** How long a settlement waits for its receipt before the answer is `settlement_pending`. */
  confirmationTimeoutMs: number
  pollingIntervalMs: number
  /** A transfer that would use more gas than this is not sent (a contract wallet decides how much its check uses). */
  maxGas: bigint
  /** Nothing is sent while the network asks for more than this, in wei per gas. */
  maxFeePerGas: bigint
  /** Gas that reverts may cost. */
  budget: GasBudget
  store: SettlementStore
  timing: Timing
  now(): Date
  log: Log
}

/** What became of a payment: `pending` without a receipt in time; `failed` when it must be checked alone. */
export interface Result {
  kind: Verdict | 'pending'
  hash: Hex
  id: TransactionId
}

const authorizationAbi = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
])

/** A client of one chain. */
function connect({ network, rpcUrl, transport, pollingIntervalMs }: NetworkOptions): Client {
  const chain = defineChain({
    id: Number(network.slice('eip155:'.length)),
    name: network,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: MULTICALL3 } },
    fees: { baseFeeMultiplier: 1 },
  })
  return createClient({
    chain,
    transport: transport ?? http(rpcUrl, { timeout: 10_000, retryCount: 1 }),
    pollingInterval: pollingIntervalMs,
  })
}

/** One chain with the keys that pay its gas. A process sends with the keys that it holds. */
export function makeNetwork(options: NetworkOptions) {
  const { network, keys, store, now, log, maxFeePerGas, maxGas, budget, confirmationTimeoutMs } = options
  const client = connect(options)
  const chainId = Number(network.slice('eip155:'.length))
  const ofOutcome = { client, network, store, now, log }
  const admission = makeAdmission({ ...ofOutcome, budget })
  const receipts = makeReceipts({
    ...options,
    client,
    onReceipt: (sent, receipt) => recordOutcomes(ofOutcome, sent, receipt),
  })
  const held = new Map<Hex, Key>()
  const isOurs = (signer: string): boolean => keys.some(({ address }) => address.toLowerCase() === signer)

  /** Gas of a transfer that runs a wallet's code. Throws, before it has a nonce or a signature, when it is above the cap or the call would fail. */
  async function estimated(call: Call): Promise<bigint> {
    const { maxFeePerGas: maxFee, maxPriorityFeePerGas } = await presentFees(client, maxFeePerGas)
    const account = payerOf(options)
    const fees = { maxFeePerGas: maxFee, maxPriorityFeePerGas }
    const estimate = await estimateGas(client, { account, ...call, ...fees })
    if (estimate > maxGas) throw new NotAdmitted('transfer_gas_above_cap')
    const roomy = estimate + estimate / 4n
    return roomy < maxGas ? roomy : maxGas
  }

  /** Sends through the key that the payment belongs to, or through another one where that one cannot pay. */
  async function submit(payment: Payment): Promise<TransactionId> {
    const tried = new Set<Key>()
    for (;;) {
      const key = choose([...held.values()], payment.settlement.key, tried)
      if (key === null) throw new Error('this process holds no key of this network')
      tried.add(key)
      try {
        return await key.submit(payment)
      } catch (error) {
        if (!(error instanceof KeyOut) || tried.size >= held.size) throw error
        log('warn', 'key.out', { network, address: key.address })
      }
    }
  }

  /** The outcome of a payment in a transaction that was sent. */
  async function outcome(settlement: Settlement, id: TransactionId): Promise<Result> {
    const receipt = await receipts.wait(id, confirmationTimeoutMs)
    if (receipt !== null) return { kind: verdictOf(receipt, settlement), hash: receipt.transactionHash, id }
    return { kind: 'pending', hash: (await store.read(id))?.hash ?? '0x', id }
  }

  return {
    network,
    client,
    addresses: keys.map(({ address }) => address),
    admission,
    outcome,
    store,
    /** Whether the authorization is used or cancelled. */
    isUsed: ({ asset, payer, key }: Settlement): Promise<boolean> =>
      readContract(client, {
        address: asset,
        abi: authorizationAbi,
        functionName: 'authorizationState',
        args: [payer, `0x${key.slice(-64)}`],
      }),
    codeOf: async (address: Hex): Promise<Hex> => (await getCode(client, { address })) ?? '0x',
    async settle(payment: Pick<Payment, 'settlement' | 'call' | 'hasCode' | 'isAlone'>): Promise<Result> {
      const gas = payment.hasCode ? await estimated(payment.call) : gasBound(1)
      return outcome(payment.settlement, await submit({ ...payment, gas }))
    },
    /** Signs with this key from now on. */
    hold(address: Hex): void {
      const account = keys.find((key) => key.address === address)
      if (account === undefined) throw new Error(`${address} is not a key of ${network}`)
      if (!held.has(address)) held.set(address, makeKey({ ...options, client, chainId, account, admission, receipts }))
    },
    /** Signs with it no more; resolves when nothing waits for it. */
    async drop(address: Hex): Promise<void> {
      const key = held.get(address)
      held.delete(address)
      await key?.empty()
    },
    isHeld: (address: Hex): boolean => held.has(address),
    /** Wei left for gas. */
    balanceOf: (address: Hex): Promise<bigint> => getBalance(client, { address }),
    /** Sends again what is stored and not mined: of the keys held here, and of keys that this network has no more. */
    async resend(): Promise<void> {
      await Promise.all([...[...held.values()].map((key) => key.resend()), resendOfOldKeys(ofOutcome, isOurs)])
    },
    /** Time of the newest block, in seconds. */
    blockTime: async (): Promise<bigint> => (await getBlock(client)).timestamp,
  }
}

export type Network = ReturnType<typeof makeNetwork>

/** The sender of simulations and estimates: the first key stands for all. */
export function payerOf({ keys }: Pick<NetworkOptions, 'keys'>): Hex {
  const [first] = keys
  if (first === undefined) throw new Error('there is no key')
  return first.address
}

/**
 * The key of a payment: always the same one for the same authorization while the same keys are held. The least loaded one where
 * that one is out. Null when all were tried.
 */
export function choose<K extends Pick<Key, 'address' | 'load' | 'isOut'>>(
  keys: readonly K[],
  payment: string,
  tried: ReadonlySet<K>,
): K | null {
  const left = keys.filter((key) => !tried.has(key))
  const rankOf = ({ address }: K): string => createHash('sha256').update(`${payment} ${address}`).digest('hex')
  const own = keys.toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1))[0]
  if (own !== undefined && left.includes(own) && !own.isOut()) return own
  const able = left.filter((key) => !key.isOut())
  return (able.length > 0 ? able : left).toSorted((a, b) => a.load() - b.load())[0] ?? null
}
