import {
  type Address,
  BaseError,
  concat,
  decodeAbiParameters,
  domainSeparator,
  encodeAbiParameters,
  erc6492SignatureValidatorByteCode,
  type Hex,
  hashMessage,
  hashTypedData,
  zeroAddress,
  zeroHash,
} from 'viem'
import { TRANSFER_TYPES } from '../../../protocol/eip3009.ts'
import { DEV_CHAIN_ID } from '../../../protocol/networks.ts'
import type { PaymentNetwork } from '../../config/config.ts'
import type { Fetch } from '../../lib/http.ts'
import { confirmationsOf, findOutcome, isSpent } from './authorization-outcome.ts'
import { latestBlock } from './block-search.ts'
import { type Chain, ChainUnavailable, type MinedTransfer, type TransferQuery } from './chain.ts'
import { type Clock, makeReceiptReads, type ReceiptReads } from './receipt-reads.ts'
import { makeRpc, makeRpcBatch, type Rpc, RpcRefusal } from './rpc.ts'
import { bytes, callData, minedSchema } from './rpc-values.ts'
import { findTransfer } from './transfer-logs.ts'

const WORD_LENGTH = 66
/** Code of an account that delegates by EIP-7702. */
const DELEGATION_PREFIX = '0xef0100'

/**
 * How often the receipts of a network are read at most, ms: Base's block time, also on Ethereum, where a buyer whose transfer is
 * mined must not wait for the next block. The dev chain makes a block for each transaction.
 */
const RECEIPTS_MS = 2_000
const DEV_RECEIPTS_MS = 100

const realClock: Clock = {
  now: () => new Date(),
  sleep: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
}

/** Public RPCs as a `Chain`: JSON-RPC of our own, hashing and ABI coding by viem. Unknown chains are `ChainUnavailable`. */
export function makeViemChain(
  networks: readonly Pick<PaymentNetwork, 'chainId' | 'rpcUrl'>[],
  { fetch = (url, init) => globalThis.fetch(url, init), clock = realClock }: { fetch?: Fetch; clock?: Clock } = {},
): Chain {
  const nodes = new Map(
    networks.map(({ chainId, rpcUrl }) => {
      const rpc = makeRpc(rpcUrl, fetch)
      const intervalMs = chainId === DEV_CHAIN_ID ? DEV_RECEIPTS_MS : RECEIPTS_MS
      return [chainId, { rpc, receipts: makeReceiptReads(makeRpcBatch(rpcUrl, fetch), rpc, intervalMs, clock) }]
    }),
  )
  const on = (chainId: number): Rpc => (nodes.get(chainId) ?? notServed(chainId)).rpc
  return {
    hasCode: async (chainId, account) => (await on(chainId)('eth_getCode', [account, 'latest'], bytes())) !== '0x',
    async isContract(chainId, account) {
      const code = await on(chainId)('eth_getCode', [account, 'latest'], bytes())
      return code !== '0x' && !code.startsWith(DELEGATION_PREFIX)
    },
    async authorizationStatus(query) {
      const rpc = on(query.chainId)
      const head = await latestBlock(rpc)
      const spent = await isSpent(rpc, query, head.number)
      return { spent, blockTime: new Date(Number(head.timestamp) * 1000) }
    },
    authorizationOutcome: async (query, since, until) => findOutcome(on(query.chainId), query, since, until),
    transferIn: async (query, transaction) =>
      transferIn((nodes.get(query.chainId) ?? notServed(query.chainId)).receipts, query, transaction),
    isReverted: async (chainId, transaction) => (await receiptOf(on(chainId), transaction))?.status === 0n,
    verifyMessage: async (chainId, account, message, signature) =>
      holdsSignature(on(chainId), account, hashMessage(message), signature),
    async verifyTypedData(chainId, account, { domain, message }, signature) {
      const primaryType = 'TransferWithAuthorization'
      const hash = hashTypedData({ domain, message, types: TRANSFER_TYPES, primaryType })
      return holdsSignature(on(chainId), account, hash, signature)
    },
    isPayableToken: async (chainId, token, domain) =>
      isPayable(on(chainId), token, domainSeparator({ domain: { ...domain, chainId, verifyingContract: token } })),
    tokenName: async (chainId, token) => textOf(await read(on(chainId), token, callData('name()'))),
    balanceOf: async (chainId, token, account) => readUint(on(chainId), token, callData('balanceOf(address)', account)),
    stakedBalance: async (chainId, staking, account) =>
      readUint(on(chainId), staking, callData('stakedBalance(address)', account)),
    totalBurned: async (chainId, token) => readUint(on(chainId), token, callData('totalBurned()')),
  }
}

function notServed(chainId: number): never {
  throw new ChainUnavailable(`chain ${chainId} has no RPC here`)
}

const read = (rpc: Rpc, to: Address, data: Hex): Promise<Hex> => rpc('eth_call', [{ to, data }, 'latest'], bytes())

/** An address without the contract returns an empty text, which is not zero. */
async function readUint(rpc: Rpc, to: Address, data: Hex): Promise<bigint> {
  const answer = await read(rpc, to, data)
  if (answer.length !== WORD_LENGTH) throw new ChainUnavailable(`the contract ${to} does not answer this call`)
  return BigInt(answer)
}

function textOf(answer: Hex): string {
  try {
    return decodeAbiParameters([{ type: 'string' }], answer)[0]
  } catch (cause) {
    if (cause instanceof BaseError) throw new ChainUnavailable('the token has no readable name', { cause })
    throw cause
  }
}

const receiptOf = (rpc: Rpc, transaction: Hex) => rpc('eth_getTransactionReceipt', [transaction], minedSchema())

async function transferIn(reads: ReceiptReads, query: TransferQuery, transaction: Hex): Promise<MinedTransfer | null> {
  const { receipt, head } = await reads.look(transaction)
  const logIndex = receipt === null ? null : findTransfer(receipt.logs, query)
  if (receipt === null || logIndex === null) return null
  return { transaction: receipt.transactionHash, logIndex, confirmations: confirmationsOf(receipt.blockNumber, head) }
}

/** Without the right domain no signature of a buyer would hold; without EIP-3009 no transfer could be made. */
async function isPayable(rpc: Rpc, token: Address, separator: Hex): Promise<boolean> {
  const state = callData('authorizationState(address,bytes32)', zeroAddress, zeroHash)
  try {
    const [found, unused] = await Promise.all([
      read(rpc, token, callData('DOMAIN_SEPARATOR()')),
      read(rpc, token, state),
    ])
    return found === separator && unused.length === WORD_LENGTH
  } catch (error) {
    if (error instanceof RpcRefusal && error.reverted) return false
    throw error
  }
}

const ARGUMENTS = [{ type: 'address' }, { type: 'bytes32' }, { type: 'bytes' }] as const

/**
 * True if an account's signature of a hash is valid, whatever kind of account it is: a contract wallet (ERC-1271), one that is not
 * deployed yet (ERC-6492), or a plain account. One `eth_call` of a validator contract that is never deployed; its answer is one
 * byte. viem's own action does the same and brings much more along.
 */
async function holdsSignature(rpc: Rpc, account: Address, hash: Hex, signature: Hex): Promise<boolean> {
  const data = concat([erc6492SignatureValidatorByteCode, encodeAbiParameters(ARGUMENTS, [account, hash, signature])])
  try {
    return BigInt(await rpc('eth_call', [{ data }, 'latest'], bytes())) === 1n
  } catch (error) {
    // Wallets revert on signatures they cannot read.
    if (error instanceof RpcRefusal && error.reverted) return false
    throw error
  }
}
