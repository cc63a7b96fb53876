import { createClient, type Hex, http, isAddressEqual, isHash, type Log, parseAbi, parseEventLogs } from 'viem'
import { getChainId, getTransactionReceipt } from 'viem/actions'
import { type Receipt, ReceiptError } from '../../client/node/receipt.ts'

const EVENTS = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

type Message = Receipt['message']

/**
 * Whether these logs hold the payment of a receipt: its authorization, used on its token, and right after it the transfer of
 * the amount from the payer to the payee.
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

/** Asks a node of the reader's own choice for the payment. Throws `ReceiptError` when it is not there. */
export async function verifyTransfer({ message }: Receipt, rpcUrl: string): Promise<void> {
  const client = createClient({ transport: http(rpcUrl) })
  const chainId = await getChainId(client).catch((cause: unknown) => {
    throw new ReceiptError(`${rpcUrl} is no node that answers`, { cause })
  })
  const network = `eip155:${chainId}`
  if (network !== message.network)
    throw new ReceiptError(`${rpcUrl} is ${network}, the receipt is of ${message.network}`)
  const receipt = await transactionOf(message.transaction, (hash) => getTransactionReceipt(client, { hash }))
  if (receipt.status !== 'success' || !hasTransfer(receipt.logs, message)) {
    throw new ReceiptError(`transaction ${message.transaction} holds no such payment`)
  }
}

async function transactionOf<T>(transaction: string, read: (hash: Hex) => Promise<T>): Promise<T> {
  if (!isHash(transaction)) throw new ReceiptError(`${transaction} is no transaction: nothing moved on a chain`)
  return read(transaction).catch((cause: unknown) => {
    throw new ReceiptError(`transaction ${transaction} is not on that chain`, { cause })
  })
}
