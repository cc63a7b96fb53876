import { expect, test } from 'vitest'
import { replyForOutcome } from './settle-answers.ts'

const PAYER = `0x${'1'.repeat(40)}` as const
const PAYEE = `0x${'2'.repeat(40)}` as const
const HASH = `0x${'3'.repeat(64)}` as const
const accepted = {
  scheme: 'exact',
  network: 'eip155:31337' as const,
  asset: PAYEE,
  amount: '1',
  payTo: PAYEE,
  maxTimeoutSeconds: 60,
  extra: {},
}
const authorization = { from: PAYER, to: PAYEE, value: '1', validAfter: '0', validBefore: '9', nonce: HASH }
const ask = (isUsed: () => Promise<boolean>) => ({
  chain: { network: { isUsed } },
  settlement: { key: 'k', network: accepted.network, asset: PAYEE, payer: PAYER, value: 1n, signature: '0x' },
  payload: { x402Version: 2 as const, accepted, payload: { signature: '0x', authorization } },
})

test.each([
  ['unused', async () => false, 'invalid_exact_evm_transaction_failed', ''],
  ['used by another transaction', async () => true, 'invalid_exact_evm_nonce_already_used', ''],
  ['unreadable', () => Promise.reject(new Error('no node')), 'settlement_pending', HASH],
])('error: after a revert, a nonce that is %s', async (_title, isUsed, errorReason, transaction) => {
  const id = { network: accepted.network, signer: PAYEE, accountNonce: 1 }
  const reply = await replyForOutcome(ask(isUsed), { kind: 'reverted', hash: HASH, id })
  expect(reply?.answer).toMatchObject({ success: false, errorReason, transaction })
})
