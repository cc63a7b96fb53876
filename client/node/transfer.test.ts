import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { encodeAbiParameters, encodeEventTopics, type Hex, type Log, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { RECEIPT_DOMAIN } from '../../protocol/receipt.ts'
import { ConnectionError } from '../src/errors.ts'
import { ReceiptError } from './errors.ts'
import type { Receipt } from './receipt.ts'
import { hasTransfer, verifyTransfer } from './transfer.ts'

const EVENTS = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const TOKEN = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const OTHER_TOKEN = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'
const PAYER = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const PAYEE = '0x000000000000000000000000000000000000dEaD'
const NONCE: Hex = `0x${'ab'.repeat(32)}`
const message: Receipt['message'] = {
  service: 'https://coinslot.example',
  id: '7d7c8f0e-8a53-4b5c-9d0e-0c9b3f8f5a11',
  payer: PAYER,
  payTo: PAYEE,
  network: 'eip155:84532',
  asset: TOKEN,
  amount: '10000',
  nonce: NONCE,
  transaction: NONCE,
  task: 'text-to-text',
  model: 'a/model',
  requestDigest: NONCE,
  outputDigests: [NONCE],
  createdAt: '2026-11-27T12:00:00.000Z',
  completedAt: '2026-11-27T12:00:01.000Z',
}

const UNSIGNED = { domain: RECEIPT_DOMAIN, signature: NONCE, outputUrls: [] }
const rpcSchema = z.object({ id: z.int(), method: z.string() })

const log = (address: Hex, topics: Log['topics'], data: Hex): Log => ({
  address,
  topics,
  data,
  blockHash: NONCE,
  blockNumber: 1n,
  logIndex: 0,
  transactionHash: NONCE,
  transactionIndex: 0,
  removed: false,
})

const topicsOf = (topics: readonly (Hex | Hex[] | null)[]): Log['topics'] => {
  const [first, ...rest] = topics.filter((topic): topic is Hex => typeof topic === 'string')
  return first === undefined ? [] : [first, ...rest]
}
const used = (nonce: Hex = NONCE, token: Hex = TOKEN, authorizer: Hex = PAYER): Log =>
  log(
    token,
    topicsOf(encodeEventTopics({ abi: EVENTS, eventName: 'AuthorizationUsed', args: { authorizer, nonce } })),
    '0x',
  )
const transfer = (value = 10_000n, to: Hex = PAYEE, token: Hex = TOKEN, from: Hex = PAYER): Log =>
  log(
    token,
    topicsOf(encodeEventTopics({ abi: EVENTS, eventName: 'Transfer', args: { from, to } })),
    encodeAbiParameters([{ type: 'uint256' }], [value]),
  )

it('default: the authorization and the transfer that follows it', () => {
  expect(hasTransfer([used(), transfer()], message)).toBe(true)
})

it('behavior: a transaction may hold other payments around it', () => {
  const other: Hex = `0x${'cd'.repeat(32)}`
  expect(hasTransfer([used(other), transfer(), used(), transfer(), transfer(1n)], message)).toBe(true)
})

it.each([
  ['no authorization', [transfer()]],
  ['another nonce', [used(`0x${'cd'.repeat(32)}`), transfer()]],
  ["another payer's nonce", [used(NONCE, TOKEN, PAYEE), transfer()]],
  ['less than the amount', [used(), transfer(9_999n)]],
  ['another payee', [used(), transfer(10_000n, PAYER)]],
  ['another token', [used(NONCE, OTHER_TOKEN), transfer(10_000n, PAYEE, OTHER_TOKEN)]],
  ['the token of another authorization', [used(), transfer(10_000n, PAYEE, OTHER_TOKEN)]],
  ['a transfer before its authorization', [transfer(), used()]],
  ['nothing', []],
])('error: %s is not the payment', (_case, logs) => {
  expect(hasTransfer(logs, message)).toBe(false)
})

describe('verifyTransfer', () => {
  /** A node that returns one answer per method. */
  async function openNode(results: Record<string, unknown>): Promise<{ url: string; close(): void }> {
    const server = createServer(async (request, response) => {
      const { id, method } = rpcSchema.parse(await json(request))
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? null }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, close: () => server.close() }
  }

  it.each([
    [
      'ReceiptError where the node is of another chain',
      { eth_chainId: '0x1' },
      ReceiptError,
      'is eip155:1, the receipt',
    ],
    [
      'ReceiptError where there is no such transaction',
      { eth_chainId: '0x14a34' },
      ReceiptError,
      'is not on that chain',
    ],
    ['ConnectionError where the answer is not from a node', {}, ConnectionError, 'does not answer as a node'],
  ])('error: %s', async (_case, results, kind, words) => {
    const node = await openNode(results)
    const verifying = verifyTransfer({ ...UNSIGNED, message }, node.url)
    await expect(verifying).rejects.toThrow(kind)
    await expect(verifying).rejects.toThrow(words)
    node.close()
  })

  it('error: ReceiptError where the receipt names no transaction of a chain', async () => {
    const uuid = { ...message, transaction: message.id }
    await expect(verifyTransfer({ ...UNSIGNED, message: uuid }, 'http://127.0.0.1:1')).rejects.toThrow(ReceiptError)
  })
})
