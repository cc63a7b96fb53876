import {
  custom,
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
  RpcRequestError,
  type Transport,
  toHex,
} from 'viem'
import * as z from 'zod'
import { paymentBatchBytecode } from '../../../contracts/abi/bytecode/payment-batch.ts'
import { paymentBatchAbi } from '../../../contracts/abi/payment-batch.ts'
import { paymentBatchRuntime } from '../../../contracts/abi/runtime/payment-batch.ts'
import { MULTICALL3 } from '../../../facilitator/chain/chain-client.ts'
import { PAY_TO } from './payments.ts'
import { GWEI, RESULTS, RpcRefusal, receiptOf, TOKEN, type TokenChain } from './token-chain.ts'
import { BATCH, callsOf, lower, tokenAbi } from './transfers.ts'

const hex = z.templateLiteral(['0x', z.string()])
const callSchema = z.tuple([z.looseObject({ to: hex, data: hex })], z.unknown())
const textSchema = z.tuple([hex], z.unknown())

export type Call = (method: string, work: () => unknown) => Promise<unknown>

/** The answers of a node for this chain. `call` takes each request on its way. */
export function makeNode(chain: TokenChain, call: Call, claimsAll: boolean): Transport {
  const answer = (method: string, params: unknown): unknown => {
    switch (method) {
      case 'eth_blockNumber':
        return toHex(chain.height())
      case 'eth_getBlockByNumber':
        return {
          number: toHex(chain.height()),
          timestamp: '0x1',
          baseFeePerGas: toHex(chain.baseFee()),
          transactions: [],
        }
      case 'eth_maxPriorityFeePerGas':
        return toHex(GWEI / 10n)
      case 'eth_getBalance':
        return toHex(chain.gasFunds(lower(textSchema.parse(params)[0])))
      case 'eth_getCode':
        return codeOf(chain, lower(textSchema.parse(params)[0]))
      case 'eth_estimateGas':
        return toHex(100_000)
      case 'eth_getTransactionCount':
        return countOf(chain, params)
      case 'eth_sendRawTransaction':
        return chain.submit(textSchema.parse(params)[0])
      case 'eth_getTransactionReceipt':
        return receiptOf(chain, textSchema.parse(params)[0], claimsAll)
      case 'eth_getLogs':
        return []
      case 'eth_call':
        return ethCall(chain, callSchema.parse(params)[0])
      default:
        throw new Error(`${method} is not simulated`)
    }
  }
  const request = ({ method, params }: { method: string; params?: unknown }) =>
    call(method, () => answer(method, params)).catch((error: unknown) => {
      if (!(error instanceof RpcRefusal)) throw error
      throw new RpcRequestError({ body: {}, error, url: 'simulated' })
    })
  return custom({ request }, { retryCount: 0 })
}

/** The code that a deployment installs ends its creation code. */
const BATCH_CODE: Hex = `0x${paymentBatchBytecode.slice(-2 * paymentBatchRuntime.size)}`

function codeOf(chain: TokenChain, address: Hex): Hex {
  if (address === BATCH) return BATCH_CODE
  return chain.isDelegated(address) ? `0xef0100${'de'.repeat(20)}` : '0x'
}

function countOf(chain: TokenChain, params: unknown): Hex {
  const [address, block] = z.tuple([hex, z.string()]).parse(params)
  return toHex(block === 'pending' ? chain.pendingCountOf(lower(address)) : chain.countOf(lower(address)))
}

function ethCall(chain: TokenChain, { to, data }: { to: Hex; data: Hex }): Hex {
  if (lower(to) === lower(MULTICALL3)) return balances(chain, data)
  if (lower(to) === BATCH) return callBatch(chain, data)
  const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data })
  if (functionName === 'balanceOf') return uint(chain.balanceOf(lower(args[0])))
  if (functionName === 'authorizationState') return uint(chain.isUsed(args[1]) ? 1n : 0n)
  if (chain.simulate(callsOf(to, data), TOKEN)[0] === 'paid') return '0x'
  throw new RpcRefusal('execution reverted', 3)
}

function callBatch(chain: TokenChain, data: Hex): Hex {
  const { functionName } = decodeFunctionData({ abi: paymentBatchAbi, data })
  if (functionName === 'payee') return encodeFunctionResult({ abi: paymentBatchAbi, functionName, result: PAY_TO })
  if (functionName === 'tokens') return encodeFunctionResult({ abi: paymentBatchAbi, functionName, result: [TOKEN] })
  const result = chain.simulate(callsOf(BATCH, data), BATCH).map((one) => RESULTS[one])
  return encodeFunctionResult({ abi: paymentBatchAbi, functionName: 'settle', result })
}

const uint = (value: bigint): Hex => toHex(value, { size: 32 })

/** Balances, read together. */
function balances(chain: TokenChain, data: Hex): Hex {
  const { functionName, args } = decodeFunctionData({ abi: multicall3Abi, data })
  if (functionName !== 'aggregate3') throw new Error(`${functionName} is not simulated`)
  const result = args[0].map(({ target, callData }) => ({
    success: true,
    returnData: ethCall(chain, { to: target, data: callData }),
  }))
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })
}
