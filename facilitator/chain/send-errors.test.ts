import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { facilitatorKey } from '../../dev/anvil/accounts.ts'
import { type RunningChain, startChain } from '../../dev/anvil/chain.ts'
import { faults, type PartProxy, startProxy } from '../../test/helpers/proxy.ts'
import { makeX402Requests } from '../../test/helpers/x402-request.ts'
import { createFacilitator } from '../facilitator.ts'
import { makeMemoryStore } from '../store/memory-store.ts'
import type { SettlementStore } from '../store/store.ts'

const answerSchema = z.looseObject({
  success: z.boolean().optional(),
  errorReason: z.string().optional(),
  transaction: z.string().optional(),
})

let chain: RunningChain
let proxy: PartProxy
let payment: ReturnType<typeof makeX402Requests>
let store: SettlementStore
let events: object[]

beforeAll(async () => {
  chain = await startChain({ buyers: 1 })
  proxy = await startProxy({ target: () => chain.url })
  payment = makeX402Requests(chain)
})
afterAll(async () => {
  await proxy.close()
  await chain.close()
})
beforeEach(() => {
  store = makeMemoryStore()
  events = []
})

const start = ({ confirmationTimeoutMs = 5_000, path = '' } = {}) =>
  createFacilitator({
    networks: [{ network: 'eip155:31337', rpcUrl: `${proxy.url}${path}`, assets: [chain.usdc], payTo: chain.payTo }],
    privateKeys: [facilitatorKey().privateKey],
    store,
    pollingIntervalMs: 20,
    confirmationTimeoutMs,
    log: (_level, event, fields = {}) => events.push({ event, fields }),
  })
type Running = ReturnType<typeof start>

async function post({ app }: Running, path: '/verify' | '/settle', body: unknown) {
  const response = await app.request(path, { method: 'POST', body: JSON.stringify(body) })
  return answerSchema.parse(await response.json())
}
const settle = (running: Running, body: unknown) => post(running, '/settle', body)

const isSend = ({ body }: { body: string }) => body.includes('eth_sendRawTransaction')
const nodeSays = (code: number, message: string, forward: boolean) => ({
  kind: 'answer' as const,
  forward,
  status: 200,
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } }),
  contentType: 'application/json',
})

test.each([
  [-32603, 'Internal error'],
  [-32000, 'request timed out'],
  [-32005, 'limit exceeded'],
  [-32000, 'transaction underpriced'],
  [-32010, 'some words of a gateway'],
])('error: %i "%s" for a transaction that the node took loses nothing', async (code, message) => {
  const running = start()
  const stop = proxy.spoil(isSend, nodeSays(code, message, true), 2)
  const body = await payment()
  expect(await settle(running, body)).toMatchObject({ success: true })
  stop()
})

test('error: -32603 for a transaction that was not taken ends as pending, and is sent again', async () => {
  const running = start({ confirmationTimeoutMs: 200 })
  const stop = proxy.spoil(isSend, nodeSays(-32603, 'Internal error', false), 2)
  const body = await payment()
  expect(await settle(running, body)).toMatchObject({ success: false, errorReason: 'settlement_pending' })
  stop()
  await running.tend()
  expect(await settle(running, body)).toMatchObject({ success: true })
})

test.each([
  'insufficient funds for gas * price + value',
  'Upfront cost exceeds account balance',
  'intrinsic gas too low: gas 21000, minimum needed 53000',
  'tx fee (1.20 ether) exceeds the configured cap (1.00 ether)',
  'oversized data: transaction size 140000, limit 131072',
  'invalid sender',
  'nonce too low: next nonce 7, tx nonce 6',
])('error: "%s" is a refusal for good, and the next payment settles', async (message) => {
  const running = start()
  const stop = proxy.spoil(isSend, nodeSays(-32000, message, false), 2)
  const body = await payment()
  const answer = await settle(running, body)
  stop()
  expect(answer).toMatchObject({ success: false, transaction: '' })
  expect(answer.errorReason).not.toBe('settlement_pending')
  expect(await store.open('eip155:31337')).toEqual([])
  expect(await settle(running, await payment())).toMatchObject({ success: true })
})

test('error: no answer and no log line holds the URL of the RPC, its key, or calldata', async () => {
  const running = start({ path: '/v2/a-secret-key' })
  const body = await payment()
  const texts: string[] = []
  const ask = async (path: '/verify' | '/settle') => texts.push(JSON.stringify(await post(running, path, body)))
  for (const method of [
    'eth_call',
    'eth_estimateGas',
    'eth_sendRawTransaction',
    'eth_getCode',
    'eth_getBlockByNumber',
  ]) {
    for (const fault of [nodeSays(-32000, 'insufficient funds for gas', false), faults.error(502)]) {
      const stop = proxy.spoil((call) => call.body.includes(method), fault, 50)
      await ask('/verify')
      await ask('/settle')
      stop()
    }
  }
  texts.push(JSON.stringify(events))
  expect(texts.join('\n')).not.toMatch(/a-secret-key|127\.0\.0\.1|https?:/)
  expect(texts.join('\n')).not.toMatch(/0x[0-9a-f]{65}/i)
})
