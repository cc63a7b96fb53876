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
import { MULTICALL3 } from '../../../facilitator/chain/payment-call.ts'
import { GWEI, RpcRefusal, receiptOf, type TokenChain } from './token-chain.ts'
import { callsOf, tokenAbi } from './transfers.ts'

const hex = z.templateLiteral(['0x', z.string()])
const callSchema = z.tuple([z.looseObject({ to: hex, data: hex })], z.unknown())
const textSchema = z.tuple([hex], z.unknown())

export type Call = (method: string, work: () => unknown) => Promise<unknown>

/** What a node answers for this chain. `call` takes each request on its way. */
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
        return '0x'
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

const lower = (address: Hex): Hex => `0x${address.slice(2).toLowerCase()}`

function countOf(chain: TokenChain, params: unknown): Hex {
  const [address, block] = z.tuple([hex, z.string()]).parse(params)
  return toHex(block === 'pending' ? chain.pendingCountOf(lower(address)) : chain.countOf(lower(address)))
}

function ethCall(chain: TokenChain, { to, data }: { to: Hex; data: Hex }): Hex {
  if (lower(to) === lower(MULTICALL3)) return aggregate(chain, data)
  const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data })
  if (functionName === 'balanceOf') return uint(chain.balanceOf(lower(args[0])))
  if (functionName === 'authorizationState') return uint(chain.isUsed(args[1]) ? 1n : 0n)
  if (chain.simulate(callsOf(to, data))[0]) return '0x'
  throw new RpcRefusal('execution reverted', 3)
}

const uint = (value: bigint): Hex => toHex(value, { size: 32 })

/** A batch of transfers, one after the other, or of balances. */
function aggregate(chain: TokenChain, data: Hex): Hex {
  const { functionName, args } = decodeFunctionData({ abi: multicall3Abi, data })
  if (functionName !== 'aggregate3') throw new Error(`${functionName} is not simulated`)
  const isRead = args[0].every(({ callData }) => callData.startsWith('0x70a08231'))
  const results = isRead
    ? args[0].map(({ target, callData }) => ({
        success: true,
        returnData: ethCall(chain, { to: target, data: callData }),
      }))
    : chain.simulate(callsOf(MULTICALL3, data)).map((success) => ({ success, returnData: '0x' as const }))
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: results })
}
