import { toFacilitatorEvmSigner } from '@x402/evm'
import { type Abi, createClient, defineChain, type Hex, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { VerifyTypedDataParameters } from 'viem/actions'
import { encodeFunctionData } from 'viem/utils'
import * as z from 'zod'
import { presentFees } from './fees.ts'
import { firstReceipt } from './first-receipt.ts'
import type { Log } from './log.ts'
import { makeResender } from './resend.ts'
import { makeSender, SendUnclear, type Transfer } from './sender.ts'
import { hashesOf, type SettlementStore } from './store.ts'

/** The x402 library types its calls loosely; viem wants its own types. */
const abiSchema = z.custom<Abi>((value) => Array.isArray(value))
const typedDataSchema = z.custom<VerifyTypedDataParameters>((value) => typeof value === 'object' && value !== null)

export interface ChainAccountOptions {
  network: `eip155:${string}`
  rpcUrl: string
  privateKey: Hex
  /** How long a settlement waits for its receipt before the answer is `settlement_pending`. */
  confirmationTimeoutMs: number
  pollingIntervalMs: number
  /** A transfer that would use more gas than this is not sent (a contract wallet decides how much its check burns). */
  maxGas: bigint
  /** Nothing is sent while the network asks for more than this, in wei per gas. */
  maxFeePerGas: bigint
  store: SettlementStore
  now(): Date
  log: Log
}

/** One settlement under way: whose it is, whether its sending ended in doubt, and under which hash it was mined. */
export interface Attempt {
  key: string
  signature: string
  unclear?: SendUnclear
  minedAs?: Hex
}

interface ContractCall {
  address: Hex
  abi: readonly unknown[]
  functionName: string
  args: readonly unknown[]
}

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

/** Gas and fees of a call. Throws, before anything is numbered or signed, when either is above its cap or the call would fail. */
async function priced(client: ChainClient, call: ContractCall, caps: ChainAccountOptions): Promise<Transfer> {
  const { maxFeePerGas, maxPriorityFeePerGas } = await presentFees(client, caps.maxFeePerGas)
  const abi = abiSchema.parse(call.abi)
  const estimate = await client.estimateContractGas({ ...call, abi, account: client.account.address })
  if (estimate > caps.maxGas) throw new Error(`the transfer would use ${estimate} gas, above the cap`)
  return {
    to: call.address,
    data: encodeFunctionData({ ...call, abi }),
    gas: estimate + estimate / 4n,
    maxFeePerGas,
    maxPriorityFeePerGas,
  }
}

/** One key on one chain, as the x402 library wants it. All that it sends goes through one sender, which numbers and remembers it. */
export function makeChainAccount(options: ChainAccountOptions) {
  const { network, store, now, log, confirmationTimeoutMs, pollingIntervalMs, maxFeePerGas } = options
  const client = connect(options)
  const { account } = client
  const sender = makeSender({ client, account, network, chainId: client.chain.id, store, now, log })
  const resend = makeResender({ client, account, network, maxFeePerGas, store, sender, now, log })
  const wait = { timeoutMs: confirmationTimeoutMs, pollingIntervalMs }

  /** The receipt of a settlement, also when the transaction at `hash` was replaced meanwhile. */
  async function receiptOf(attempt: Attempt, hash: Hex) {
    const hashes = async () => hashesOf((await store.find(attempt.key)) ?? { hash, replaced: [] })
    const receipt = await firstReceipt(client, hashes, wait)
    attempt.minedAs = receipt.transactionHash
    return receipt
  }

  /** For verifying, without `attempt`; with it, for settling that one. */
  const signerFor = (attempt?: Attempt) =>
    toFacilitatorEvmSigner(
      {
        address: account.address,
        getCode: (query) => client.getCode(query),
        readContract: (call) => client.readContract({ ...call, abi: abiSchema.parse(call.abi) }),
        verifyTypedData: (data) => client.verifyTypedData(typedDataSchema.parse(data)),
        async writeContract(call) {
          if (attempt === undefined) throw new Error('verifying sends nothing')
          const { key, signature } = attempt
          return sender.send({ key, signature }, await priced(client, call, options)).catch((error: unknown) => {
            if (error instanceof SendUnclear) attempt.unclear = error
            throw error
          })
        },
        // Only ERC-6492 deployments use this, and no factory is allowed.
        sendTransaction: () => Promise.reject(new Error('this facilitator deploys no wallets')),
        async waitForTransactionReceipt({ hash }) {
          if (attempt === undefined) throw new Error('verifying waits for nothing')
          return receiptOf(attempt, hash)
        },
      },
      { confirmationTimeoutMs },
    )

  return {
    network,
    address: account.address,
    signerFor,
    resend,
    /** Wei left for gas. */
    balance: () => client.getBalance({ address: account.address }),
  }
}

export type ChainAccount = ReturnType<typeof makeChainAccount>
