import { toFacilitatorEvmSigner } from '@x402/evm'
import { type Abi, createClient, defineChain, type Hex, http, publicActions, walletActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { VerifyTypedDataParameters } from 'viem/actions'
import { createNonceManager, jsonRpc } from 'viem/nonce'
import * as z from 'zod'

/** The x402 library types its calls loosely; viem wants its own types. */
const abiSchema = z.custom<Abi>((value) => Array.isArray(value))
const typedDataSchema = z.custom<VerifyTypedDataParameters>((value) => typeof value === 'object' && value !== null)

export interface SignerOptions {
  chainId: number
  rpcUrl: string
  privateKey: Hex
  /** How long a settlement waits for its receipt before the answer is `settlement_pending`. */
  confirmationTimeoutMs: number
  pollingIntervalMs: number
  /** A transfer that would use more gas than this is not sent (a contract wallet decides how much its check burns). */
  maxGas: bigint
  /** Nothing is sent while the network asks for more than this, in wei per gas. */
  maxFeePerGas: bigint
}

/** A signer for the x402 library: one key on one chain, nonces handed out here, so that many settlements may be under way. */
export function createSigner(options: SignerOptions) {
  const chain = defineChain({
    id: options.chainId,
    name: `chain ${options.chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [options.rpcUrl] } },
    contracts: { multicall3: { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } },
  })
  const nonceManager = createNonceManager({ source: jsonRpc() })
  const account = privateKeyToAccount(options.privateKey, { nonceManager })
  const client = createClient({
    account,
    chain,
    transport: http(options.rpcUrl, { timeout: 10_000, retryCount: 1 }),
    pollingInterval: options.pollingIntervalMs,
  })
    .extend(publicActions)
    .extend(walletActions)

  const writeContract = async (call: {
    address: Hex
    abi: readonly unknown[]
    functionName: string
    args: readonly unknown[]
  }): Promise<Hex> => {
    const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas()
    if (maxFeePerGas > options.maxFeePerGas) throw new Error(`gas price too high: ${maxFeePerGas} wei`)
    const request = { ...call, abi: abiSchema.parse(call.abi) }
    const estimate = await client.estimateContractGas({ ...request, account: account.address })
    if (estimate > options.maxGas) throw new Error(`transfer would use ${estimate} gas`)
    const gas = estimate + estimate / 4n
    return client.writeContract({ ...request, account, chain, gas, maxFeePerGas, maxPriorityFeePerGas })
  }

  return toFacilitatorEvmSigner(
    {
      address: account.address,
      getCode: (query) => client.getCode(query),
      readContract: (call) => client.readContract({ ...call, abi: abiSchema.parse(call.abi) }),
      verifyTypedData: (data) => client.verifyTypedData(typedDataSchema.parse(data)),
      writeContract,
      // Only ERC-6492 deployments use this, and no factory is allowed.
      sendTransaction: () => Promise.reject(new Error('this facilitator deploys no wallets')),
      waitForTransactionReceipt: async (query) => {
        try {
          return await client.waitForTransactionReceipt(query)
        } catch (error) {
          // The transaction may have been dropped: without this, every later one would wait for its nonce.
          nonceManager.reset({ address: account.address, chainId: options.chainId })
          throw error
        }
      },
    },
    { confirmationTimeoutMs: options.confirmationTimeoutMs },
  )
}
