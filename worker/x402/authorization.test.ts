import { concat, type Hex, numberToHex, slice } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { TRANSFER_TYPES, transferDomain, transferTypedData } from '../../protocol/eip3009.ts'
import { checkAuthorization, inspectSignature } from './authorization.ts'
import { makeRequirements } from './requirements.ts'
import type { Authorization } from './schemas.ts'

const K1 = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const DEAD = '0x000000000000000000000000000000000000dEaD'
const NOW = 1_795_812_856
const requirements = makeRequirements('eip155:84532', USDC, '10000', DEAD, { name: 'USDC', version: '2' })
const domain = transferDomain(requirements)

/** The fixture P0 of a published signature. */
const P0: Authorization = {
  from: K1.address,
  to: DEAD,
  value: '10000',
  validAfter: '0',
  validBefore: '4102444800',
  nonce: `0x${'ab'.repeat(32)}`,
}
const SIGNATURE: Hex =
  '0x709a8a6e728c602f4d64ca8ab05401c98cc6ec15be7a3c02e97b34b19935034c7035ffb3cb3dc4307b8f65dd52702f82a8db06e2c6c64d94fb2d7e57bca9f3d31b'

describe('makeRequirements', () => {
  it('default: addresses go out in EIP-55 form, the flow and the time-out are said', () => {
    expect(
      makeRequirements('eip155:1', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', '1', DEAD, {
        name: 'USD Coin',
        version: '2',
      }),
    ).toEqual({
      scheme: 'exact',
      network: 'eip155:1',
      asset: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      amount: '1',
      payTo: DEAD,
      maxTimeoutSeconds: 60,
      extra: { name: 'USD Coin', version: '2', paymentFlow: 'upfront' },
    })
  })
})

describe('checkAuthorization', () => {
  const check = (change: Partial<Authorization>): string | null =>
    checkAuthorization({ ...P0, validBefore: String(NOW + 60), ...change }, requirements, new Date(NOW * 1000 + 999))

  it('default: the exact price to the payee, valid for a minute, passes', () => {
    expect(check({})).toBeNull()
    expect(check({ to: '0x000000000000000000000000000000000000dead' })).toBeNull()
  })

  it.each([
    [{ validBefore: String(NOW + 6) }, null],
    [{ validBefore: String(NOW + 5) }, 'invalid_exact_evm_payload_authorization_valid_before'],
    [{ validBefore: String(NOW + 900) }, null],
    [{ validBefore: String(NOW + 901) }, 'invalid_exact_evm_payload_authorization_valid_before'],
    [{ validBefore: '0' }, 'invalid_exact_evm_payload_authorization_valid_before'],
    [{ validBefore: (2n ** 256n - 1n).toString() }, 'invalid_exact_evm_payload_authorization_valid_before'],
    [{ validAfter: String(NOW) }, 'invalid_exact_evm_payload_authorization_valid_after'],
    [{ validAfter: String(NOW - 1) }, null],
    [{ validAfter: String(NOW - 600) }, null],
    [{ validAfter: String(NOW + 1) }, 'invalid_exact_evm_payload_authorization_valid_after'],
    [{ value: '9999' }, 'invalid_exact_evm_payload_authorization_value_mismatch'],
    [{ value: '10001' }, 'invalid_exact_evm_payload_authorization_value_mismatch'],
    [{ to: USDC }, 'invalid_exact_evm_recipient_mismatch'],
  ] satisfies [Partial<Authorization>, string | null][])('behavior: %j is %s', (change, reason) => {
    expect(check(change)).toBe(reason)
  })
})

describe('inspectSignature', () => {
  it('default: the published signature of P0 recovers to its payer', async () => {
    expect(await inspectSignature(P0, SIGNATURE, domain)).toEqual({ kind: 'recovered', signature: SIGNATURE })
  })

  it('behavior: a lower-case payer is the same payer', async () => {
    const lower = { ...P0, from: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a' } as const
    expect((await inspectSignature(lower, SIGNATURE, domain)).kind).toBe('recovered')
  })

  it('behavior: v 0 and 1 become 27 and 28', async () => {
    const bare = concat([slice(SIGNATURE, 0, 64), '0x00'])
    expect(await inspectSignature(P0, bare, domain)).toEqual({ kind: 'recovered', signature: SIGNATURE })
  })

  it('behavior: the high-s twin of a good signature is recognised', async () => {
    const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const twin = concat([
      slice(SIGNATURE, 0, 32),
      numberToHex(n - BigInt(slice(SIGNATURE, 32, 64)), { size: 32 }),
      '0x1c',
    ])
    expect(await inspectSignature(P0, twin, domain)).toEqual({ kind: 'high_s' })
  })

  it('error: a domain name of another chain does not recover', async () => {
    const wrong = await K1.signTypedData({
      ...transferTypedData(P0, { ...domain, name: 'USD Coin' }),
      types: TRANSFER_TYPES,
      primaryType: 'TransferWithAuthorization',
    })
    expect(await inspectSignature(P0, wrong, domain)).toEqual({ kind: 'mismatch' })
  })

  it('error: the same fields signed as ReceiveWithAuthorization do not recover', async () => {
    const receive = await K1.signTypedData({
      ...transferTypedData(P0, domain),
      types: { ReceiveWithAuthorization: TRANSFER_TYPES.TransferWithAuthorization },
      primaryType: 'ReceiveWithAuthorization',
    })
    expect(await inspectSignature(P0, receive, domain)).toEqual({ kind: 'mismatch' })
  })

  it.each([
    { ...P0, value: '9999' },
    { ...P0, to: USDC },
    { ...P0, from: '0x1563915e194D8CfBA1943570603F7606A3115508' },
    { ...P0, nonce: `0x${'ac'.repeat(32)}` },
  ] satisfies Authorization[])('error: a changed field does not recover', async (changed) => {
    expect(await inspectSignature(changed, SIGNATURE, domain)).toEqual({ kind: 'mismatch' })
  })

  it.each([
    ['0x', 'other'],
    [slice(SIGNATURE, 0, 64), 'other'],
    [concat([SIGNATURE, '0x00']), 'other'],
    [`0x${'00'.repeat(65)}`, 'mismatch'],
    [`0x${'ff'.repeat(65)}`, 'mismatch'],
    [concat([slice(SIGNATURE, 0, 64), '0x1d']), 'mismatch'],
  ] satisfies [Hex, string][])('error: %.12s… is inspected without a throw', async (signature, kind) => {
    expect((await inspectSignature(P0, signature, domain)).kind).toBe(kind)
  })
})
