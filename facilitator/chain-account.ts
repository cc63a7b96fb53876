import { toFacilitatorEvmSigner } from '@x402/evm'
import { type Abi, createClient, defineChain, type Hex, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { VerifyTypedDataParameters } from 'viem/actions'
import { encodeFunctionData } from 'viem/utils'
import * as z from 'zod'
import { makeAdmission, NotAdmitted } from './admission.ts'
import { type Fees, presentFees } from './fees.ts'
import { firstReceipt } from './first-receipt.ts'
import type { GasBudget } from './gas-budget.ts'
import { type Log, reasonOf } from './log.ts'
import { recordOutcome } from './outcome.ts'
import { makeResender } from './resend.ts'
import { makeSender, SendUnclear, type Transfer } from './sender.ts'
import { hashesOf, type Settlement, type SettlementStore } from './store.ts'

/** The x402 library types its calls loosely; viem needs its own types. */
const abiSchema = z.custom<Abi>((value) => Array.isArray(value))
const typedDataSchema = z.custom<VerifyTypedDataParameters>((value) => typeof value === 'object' && value !== null)

export interface ChainAccountOptions {
  network: `eip155:${string}`
  rpcUrl: string
  privateKey: Hex
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
  now(): Date
  log: Log
}

/** One call of `/verify` or `/settle`, and what became of it. */
export interface Attempt {
  readonly settlement: Settlement
  /** False for `/verify`. */
  readonly maySend: boolean
  /** Why it was not sent, as an x402 reason. */
  refusal?: string
  /** Its sending ended in doubt. */
  unclear?: SendUnclear
  /** The hash under which it was mined, and how that ended. */
  mined?: { hash: Hex; isReverted: boolean }
}

interface ContractCall {
  address: Hex
  abi: readonly unknown[]
  functionName: string
  args?: readonly unknown[]
}

/** Calls that run a wallet's code. They are simulated with the fees and the sender of the transaction. */
const SIMULATED = new Set(['transferWithAuthorization', 'isValidSignature'])

/** A client of one chain with the account that pays its gas. */
function connect({ network, rpcUrl, privateKey, pollingIntervalMs }: ChainAccountOptions) {
  const chain = defineChain({
    id: Number(network.slice('eip155:'.length)),
    name: network,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } },
    fees: { baseFeeMultiplier: 1 },
  })
  return createClient({
    account: privateKeyToAccount(privateKey),
    chain,
    transport: http(rpcUrl, { timeout: 10_000, retryCount: 1 }),
    pollingInterval: pollingIntervalMs,
  }).extend(publicActions)
}

type ChainClient = ReturnType<typeof connect>

/** The transaction of a call. Throws, before it has a nonce or a signature, when its gas is above the cap or the call would fail. */
async function priced(client: ChainClient, call: ContractCall, maxGas: bigint, fees: Fees): Promise<Transfer> {
  const abi = abiSchema.parse(call.abi)
  const estimate = await client.estimateContractGas({ ...call, abi, account: client.account.address, ...fees })
  if (estimate > maxGas) throw new NotAdmitted('transfer_gas_above_cap')
  const roomy = estimate + estimate / 4n
  return {
    to: call.address,
    data: encodeFunctionData({ ...call, abi }),
    gas: roomy < maxGas ? roomy : maxGas,
    ...fees,
  }
}

/** Reads the fees once for all that one attempt does, so that it is simulated with what is sent. */
function feesOfAttempt(client: ChainClient, cap: bigint): () => Promise<Fees> {
  let fees: Promise<Fees> | undefined
  return () => {
    fees ??= presentFees(client, cap).then(({ maxFeePerGas, maxPriorityFeePerGas }) => ({
      maxFeePerGas,
      maxPriorityFeePerGas,
    }))
    return fees
  }
}

/** The receipt of a settlement, also when the transaction at `hash` was replaced meanwhile. Its outcome is stored. */
async function receiptOf(client: ChainClient, options: ChainAccountOptions, attempt: Attempt, hash: Hex) {
  const { network, store, log, confirmationTimeoutMs, pollingIntervalMs } = options
  const { key } = attempt.settlement
  const hashes = async () => hashesOf((await store.find(key)) ?? { hash, replaced: [] })
  const receipt = await firstReceipt(client, hashes, { timeoutMs: confirmationTimeoutMs, pollingIntervalMs })
  const isReverted = receipt.status !== 'success'
  // A revert is stored before it is answered; without that the answer stays `settlement_pending`.
  await recordOutcome({ ...options, client }, key, receipt).catch((error: unknown) => {
    if (isReverted) throw error
    log('warn', 'outcome.failed', { network, hash, reason: reasonOf(error) })
  })
  attempt.mined = { hash: receipt.transactionHash, isReverted }
  return receipt
}

interface Sending {
  client: ChainClient
  options: ChainAccountOptions
  send(attempt: Attempt, transfer: Transfer): Promise<Hex>
}

/** What the x402 library calls for one attempt. Without an attempt it only serves to list what is supported. */
function makeSigner({ client, options, send }: Sending, attempt?: Attempt) {
  const { confirmationTimeoutMs, maxFeePerGas, maxGas } = options
  const { account } = client
  const fees = feesOfAttempt(client, maxFeePerGas)
  return toFacilitatorEvmSigner(
    {
      address: account.address,
      getCode: (query) => client.getCode(query),
      async readContract(call) {
        const typed = { ...call, abi: abiSchema.parse(call.abi) }
        if (!SIMULATED.has(call.functionName)) return client.readContract(typed)
        return (await client.simulateContract({ ...typed, account, gas: maxGas, ...(await fees()) })).result
      },
      verifyTypedData: (data) => client.verifyTypedData(typedDataSchema.parse(data)),
      async writeContract(call) {
        if (!attempt?.maySend) throw new Error('this attempt sends nothing')
        try {
          return await send(attempt, await priced(client, call, maxGas, await fees()))
        } catch (error) {
          if (error instanceof SendUnclear) attempt.unclear = error
          if (error instanceof NotAdmitted) attempt.refusal = error.reason
          throw error
        }
      },
      // Only ERC-6492 deployments use this, and no factory is allowed.
      sendTransaction: () => Promise.reject(new Error('this facilitator deploys no wallets')),
      async waitForTransactionReceipt({ hash }) {
        if (!attempt?.maySend) throw new Error('this attempt waits for nothing')
        return receiptOf(client, options, attempt, hash)
      },
    },
    { confirmationTimeoutMs },
  )
}

/** One key on one chain, as the x402 library needs it. All its transactions go through one sender. */
export function makeChainAccount(options: ChainAccountOptions) {
  const { network, store, now, log, maxFeePerGas, budget } = options
  const client = connect(options)
  const { account } = client
  const sender = makeSender({ client, account, network, chainId: client.chain.id, store, now, log })
  const signer: Hex = `0x${account.address.slice(2).toLowerCase()}`
  const { admit, lostGas } = makeAdmission({ client, network, signer, store, budget, now, log })
  const hasCode = async (address: Hex): Promise<boolean> => ((await client.getCode({ address })) ?? '0x') !== '0x'

  async function send({ settlement }: Attempt, transfer: Transfer): Promise<Hex> {
    const isContract = await hasCode(settlement.payer)
    return sender.send(settlement, transfer, () => admit(settlement, { hasCode: isContract, gas: transfer.gas }))
  }

  return {
    network,
    address: account.address,
    signerFor: (attempt?: Attempt) => makeSigner({ client, options, send }, attempt),
    /** Throws `NotAdmitted` when the budget or the balance refuses this payment now. It does not check the signature. */
    check: async ({ settlement }: Attempt): Promise<void> =>
      void (await admit(settlement, { hasCode: await hasCode(settlement.payer), gas: 0n })),
    resend: makeResender({ client, account, network, maxFeePerGas, store, sender, now, log }),
    lostGas,
    /** Time of the newest block, in seconds. */
    blockTime: async (): Promise<bigint> => (await client.getBlock()).timestamp,
    /** Wei left for gas. */
    balance: () => client.getBalance({ address: account.address }),
  }
}

export type ChainAccount = ReturnType<typeof makeChainAccount>
