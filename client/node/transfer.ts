import {
  createClient,
  http,
  isAddressEqual,
  isHash,
  type Log,
  parseAbi,
  parseEventLogs,
  TransactionReceiptNotFoundError,
} from 'viem'
import { getChainId, getTransactionReceipt } from 'viem/actions'
import { ConnectionError } from '../src/errors.ts'
import { ReceiptError } from './errors.ts'
import type { Receipt } from './receipt.ts'

const EVENTS = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

type Message = Receipt['message']

/**
 * True if logs contain the payment of a receipt: its authorization, used on its token, and right after it the transfer of the
 * amount from the payer to the payee.
 */
export function hasTransfer(logs: readonly Log[], { asset, payer, payTo, amount, nonce }: Message): boolean {
  const ofToken = logs.filter(({ address }) => isAddressEqual(address, asset))
  const events = parseEventLogs({ abi: EVENTS, logs: ofToken })
  const used = events.findIndex(
    ({ eventName, args }) =>
      eventName === 'AuthorizationUsed' && args.nonce === nonce.toLowerCase() && isAddressEqual(args.authorizer, payer),
  )
  const next = events[used + 1]
  if (used === -1 || next?.eventName !== 'Transfer') return false
  const { from, to, value } = next.args
  return isAddressEqual(from, payer) && isAddressEqual(to, payTo) && value === BigInt(amount)
}

/**
 * Finds the payment of a receipt on its chain, at a node of the reader's choice. Throws `ReceiptError` when it is not there,
 * `ConnectionError` when the node does not answer.
 */
export async function verifyTransfer({ message }: Receipt, rpcUrl: string): Promise<void> {
  const client = createClient({ transport: http(rpcUrl) })
  const hash = message.transaction
  if (!isHash(hash)) throw new ReceiptError(`${hash} is not a transaction: nothing moved on a chain`)
  const network = `eip155:${await answerOf(rpcUrl, getChainId(client))}`
  if (network !== message.network)
    throw new ReceiptError(`${rpcUrl} is ${network}, the receipt is of ${message.network}`)
  const { status, logs } = await answerOf(rpcUrl, getTransactionReceipt(client, { hash }))
  if (status !== 'success' || !hasTransfer(logs, message)) {
    throw new ReceiptError(`transaction ${hash} does not contain this payment`)
  }
}

function answerOf<Answer>(rpcUrl: string, call: Promise<Answer>): Promise<Answer> {
  return call.catch((cause: unknown) => {
    if (cause instanceof TransactionReceiptNotFoundError)
      throw new ReceiptError('the transaction is not on that chain', { cause })
    throw new ConnectionError(`${rpcUrl} does not answer as a node`, { cause })
  })
}
