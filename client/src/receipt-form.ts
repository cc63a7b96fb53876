/** The receipt's EIP-712 form as we know it; what a file says of its own form is not believed. */
export const RECEIPT_DOMAIN = { name: 'Coinslot receipt', version: '1' } as const

/** What every receipt says, in the order it is signed. */
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
