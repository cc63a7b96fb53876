type Hex = `0x${string}`

/** EIP-712 domain of every receipt. No chain and no contract: nothing on chain ever takes one. */
export const RECEIPT_DOMAIN = { name: 'Coinslot receipt', version: '1' } as const

/** The fields of a receipt, in the order they are signed. A change of this list is a new `version` of the domain. */
export const RECEIPT_TYPES = {
  Receipt: [
    { name: 'service', type: 'string' },
    { name: 'id', type: 'string' },
    { name: 'payer', type: 'address' },
    { name: 'payTo', type: 'address' },
    { name: 'network', type: 'string' },
    { name: 'asset', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
    { name: 'transaction', type: 'string' },
    { name: 'task', type: 'string' },
    { name: 'model', type: 'string' },
    { name: 'requestDigest', type: 'bytes32' },
    { name: 'outputDigests', type: 'bytes32[]' },
    { name: 'createdAt', type: 'string' },
    { name: 'completedAt', type: 'string' },
  ],
} as const

/** One receipt as it goes out; `amount` is an integer string in atomic units, times are RFC 3339. */
export interface ReceiptMessage {
  /** The service's first public origin. */
  service: string
  /** Of the inference. */
  id: string
  payer: Hex
  payTo: Hex
  /** CAIP-2. */
  network: string
  asset: Hex
  amount: string
  /** Of the EIP-3009 authorization: it finds this very transfer in a transaction that settled several. */
  nonce: Hex
  transaction: string
  task: string
  model: string
  /** SHA-256 of the request's body as RFC 8785 writes it. */
  requestDigest: Hex
  /** SHA-256 of each file's bytes, or of a text's UTF-8 bytes. */
  outputDigests: Hex[]
  createdAt: string
  completedAt: string
}
