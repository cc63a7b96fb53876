import { beforeAll, expect, it } from 'vitest'
import { useMessages } from '../../messages/active.ts'
import { purchaseMessages } from '../../messages/en-purchase.ts'
import { reasonWords } from './reason-words.ts'

beforeAll(() => useMessages({ purchaseMessages }))

it.each([
  ['insufficient_funds', 'The wallet has too little to pay.'],
  ['The payment was refused: invalid_exact_evm_payload_signature', 'The signature does not match the wallet.'],
  ['authorization_lapsed', 'The payment expired before it was settled.'],
  ['authorization_nonce_used', 'This payment was used before.'],
  ['some_new_code', 'The payment service refused the payment.'],
  ['The run failed.', null],
  ['', null],
])('default: the reason %j is shown as %j', (detail, words) => {
  expect(reasonWords(detail)).toBe(words)
})
