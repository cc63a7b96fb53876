import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodePaymentResponseHeader } from '@x402/core/http'
import { createReceiptEIP712 } from '@x402/extensions/offer-receipt'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ReceiptError, UsageError } from '../node/errors.ts'
import { receipt as receiptCommand } from './commands/receipt.ts'
import { verifyFile } from './verify-receipt.ts'

const service = privateKeyToAccount(`0x${'44'.repeat(32)}`)
const PAYER = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const PAID = { network: 'eip155:84532', payer: PAYER, transaction: `0x${'ab'.repeat(32)}` } as const
const CHECKS = { signer: service.address, origin: undefined, rpc: undefined }

let folder: string
/** The headers of a paid answer, as `curl -D` writes them. */
let headers: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-verify-'))
  headers = join(folder, 'headers.txt')
  const resourceUrl = 'https://coinslot.example/api/inference'
  const receipt = await createReceiptEIP712({ ...PAID, resourceUrl }, (data) => service.signTypedData(data))
  const extensions = { 'offer-receipt': { info: { receipt }, schema: {} } }
  const value = encodePaymentResponseHeader({ success: true, ...PAID, extensions })
  await writeFile(headers, `HTTP/2 200\r\npayment-response: ${value}\r\n\r\n`)
})
afterAll(() => rm(folder, { recursive: true, force: true }))
afterEach(() => {
  vi.restoreAllMocks()
})

it('error: --verify without a file says what to name', async () => {
  await expect(receiptCommand.run(['--verify'])).rejects.toThrow(/^Which receipt\? Name its file/)
})

describe('receipt --verify of x402’s own receipt', () => {
  it.each([
    ['a text', false, `signed by   ${service.address}\npaid        on eip155:84532, by ${PAYER}\n`],
    ['JSON', true, `"signedBy":"${service.address}","outputsVerified":false,"paymentVerified":false`],
  ])('default: the signer is checked, and %s says who paid for what', async (_form, isJson, text) => {
    let printed = ''
    vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
      printed += String(piece)
      return true
    })
    await verifyFile(headers, [], CHECKS, isJson)
    expect(printed).toContain(text)
    expect(printed).toContain('https://coinslot.example/api/inference')
  })

  it('error: ReceiptError where another address signed it', async () => {
    await expect(verifyFile(headers, [], { ...CHECKS, signer: PAYER }, false)).rejects.toThrow(ReceiptError)
  })

  it.each([
    ['a file', ['out.webp'], undefined],
    ['--rpc', [], 'https://rpc.example'],
  ])('error: UsageError beside %s, which it says nothing about', async (_what, outputs, rpc) => {
    await expect(verifyFile(headers, outputs, { ...CHECKS, rpc }, false)).rejects.toThrow(UsageError)
  })
})
