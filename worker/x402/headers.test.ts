import { describe, expect, it } from 'vitest'
import { toHeader } from '../../protocol/base64.ts'
import { AppError } from '../errors.ts'
import { decodePaymentHeader, decodePaymentSignature, quoteTokenOf } from './headers.ts'
import type { SettlementResponse } from './schemas.ts'

const payment = {
  x402Version: 2,
  payload: {
    authorization: {
      from: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
      to: '0x000000000000000000000000000000000000dEaD',
      value: '10000',
      validAfter: '0',
      validBefore: '4102444800',
      nonce: `0x${'ab'.repeat(32)}`,
    },
    signature: `0x${'11'.repeat(65)}`,
  },
  resource: { url: 'https://api.example.com/api/inference' },
  accepted: {
    scheme: 'exact',
    network: 'eip155:84532',
    amount: '10000',
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    payTo: '0x000000000000000000000000000000000000dEaD',
    maxTimeoutSeconds: 60,
    extra: { name: 'USD₮0', version: '2' },
  },
  extensions: { quote: { info: { token: 'abc.def', expiresAt: '2026-11-27T23:00:00Z' }, schema: {} } },
}
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64')
const authorization = (change: object): unknown => ({
  ...payment,
  payload: { ...payment.payload, authorization: { ...payment.payload.authorization, ...change } },
})
const problem = (header: string): AppError => {
  try {
    decodePaymentSignature(header)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('the header was accepted')
}

describe('payment headers', () => {
  it('default: what the stock client sends is read, unknown keys are dropped', () => {
    const read = decodePaymentSignature(encode(payment))
    expect(read.payload).toEqual(payment.payload)
    expect(read.accepted).not.toHaveProperty('extra')
    expect(quoteTokenOf(read)).toBe('abc.def')
  })

  it('default: written as standard base64 with padding, UTF-8 within', () => {
    const response: SettlementResponse = {
      success: true,
      payer: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
      transaction: '',
      network: 'é₮😀!',
    }
    const header = toHeader(response)
    expect(header).toBe(encode(response))
    expect(header).toMatch(/=$/)
    expect(decodePaymentHeader(header)).toEqual(response)
  })

  it('behavior: base64url and missing padding are read too', () => {
    const url = Buffer.from(JSON.stringify({ text: '???>>>~~~' })).toString('base64url')
    expect(url).toMatch(/[-_]/)
    expect(decodePaymentHeader(url)).toEqual({ text: '???>>>~~~' })
  })

  it('behavior: lower-case addresses are taken, null extensions count as missing', () => {
    const lower = payment.payload.authorization.from.toLowerCase()
    const read = decodePaymentSignature(encode({ ...(authorization({ from: lower }) as object), extensions: null }))
    expect(read.payload.authorization.from).toBe(lower)
    expect(quoteTokenOf(read)).toBeNull()
  })

  it.each([
    '',
    '!!!',
    'e30\n',
    '"e30="',
    'e30=e30=',
    Buffer.from('{"a":').toString('base64'),
    '/w==',
    'A'.repeat(33_000),
  ])('error: invalid_payment_header for %.20j', (header) => {
    expect(problem(header)).toMatchObject({ code: 'invalid_payment_header', status: 400 })
  })

  it.each([
    null,
    [],
    5,
    'x',
    {},
    { ...payment, x402Version: 1 },
    { ...payment, payload: {} },
    { ...payment, accepted: undefined },
  ])('error: invalid_payment_header for a payload like %.40j', (value) => {
    expect(problem(encode(value)).code).toBe('invalid_payment_header')
  })

  it.each([
    ['from', payment.payload.authorization.from.toUpperCase().replace('0X', '0x')],
    ['from', payment.payload.authorization.from.replace('E376', 'e376')],
    ['to', '0x000000000000000000000000000000000000DEad'],
    ['value', 10000],
    ['value', '1e4'],
    ['value', '-1'],
    ['value', '010'],
    ['value', (2n ** 256n).toString()],
    ['validBefore', '9'.repeat(79)],
    ['nonce', '0xab'],
  ])('error: invalid_payment_header names %s when it is %s', (field, value) => {
    const { details } = problem(encode(authorization({ [field]: value })))
    expect(details.errors?.map(({ path }) => path)).toEqual([`payload.authorization.${field}`])
  })

  it.each([undefined, 5, '0x1', 'ab', `0x${'11'.repeat(4097)}`])(
    'error: invalid_payment_header for signature %.10s',
    (signature) => {
      const { details } = problem(encode({ ...payment, payload: { ...payment.payload, signature } }))
      expect(details.errors?.map(({ path }) => path)).toEqual(['payload.signature'])
    },
  )

  it('behavior: an empty or compact signature is readable; the chain decides', () => {
    for (const signature of ['0x', `0x${'11'.repeat(64)}`, `0x${'11'.repeat(4096)}`]) {
      expect(decodePaymentSignature(encode({ ...payment, payload: { ...payment.payload, signature } }))).toBeTruthy()
    }
  })
})
