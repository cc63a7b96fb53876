/** The EIP-712 domain of receipts. The domain in a receipt file is not trusted. */
export const RECEIPT_DOMAIN = { name: 'Coinslot receipt', version: '1' } as const

/** The fields of a receipt, in signing order. */
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
