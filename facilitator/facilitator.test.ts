import { concat, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { facilitatorKey } from '../dev/anvil/accounts.ts'
import { type RunningChain, startChain } from '../dev/anvil/chain.ts'
import { createRpc } from '../dev/anvil/rpc.ts'
import { makeX402Requests } from '../test/helpers/x402-request.ts'
import { createFacilitator, type Facilitator } from './facilitator.ts'
import { makeMemoryStore } from './store/memory-store.ts'

const sentCount = () => createRpc(chain.url).call('eth_getTransactionCount', facilitatorKey().account.address, 'latest')
const STRANGER = '0x000000000000000000000000000000000000dEaD'
const answerSchema = z.looseObject({
  isValid: z.boolean().optional(),
  invalidReason: z.string().optional(),
  success: z.boolean().optional(),
  errorReason: z.string().optional(),
  transaction: z.string().optional(),
})

let chain: RunningChain
let app: Facilitator['app']
let payment: ReturnType<typeof makeX402Requests>

beforeAll(async () => {
  chain = await startChain({ buyers: 1 })
  payment = makeX402Requests(chain)
  app = createFacilitator({
    networks: [{ network: 'eip155:31337', rpcUrl: chain.url, assets: [chain.usdc], payTo: chain.payTo }],
    privateKeys: [facilitatorKey().privateKey],
    pollingIntervalMs: 50,
  }).app
})
afterAll(() => chain.close())

async function post(path: string, body: unknown, headers: Record<string, string> = {}, to = app) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await to.request(path, { method: 'POST', body: text, headers })
  return { status: response.status, body: answerSchema.parse(await response.json()) }
}

test('default: a signed payment verifies and settles once', async () => {
  const body = await payment()
  expect((await post('/verify', body)).body).toMatchObject({ isValid: true })
  const settled = (await post('/settle', body)).body
  expect(settled).toMatchObject({ success: true, network: 'eip155:31337' })
  expect(settled.transaction).toMatch(/^0x[0-9a-f]{64}$/)
  expect((await post('/settle', body)).body).toMatchObject({ success: false, transaction: '' })
})

test('behavior: ten payments at once all settle (nonces do not collide)', async () => {
  const bodies = await Promise.all(Array.from({ length: 10 }, () => payment()))
  const answers = await Promise.all(bodies.map((body) => post('/settle', body)))
  expect(answers.map(({ body }) => body.success)).toEqual(Array(10).fill(true))
})

test('error: a foreign asset, payee or network is refused and no gas is spent', async () => {
  const before = await sentCount()
  for (const [change, reason] of [
    [{ asset: STRANGER }, 'invalid_payment_requirements'],
    [{ payTo: STRANGER }, 'invalid_payment_requirements'],
    [{ network: 'eip155:1' }, 'invalid_network'],
  ] as const) {
    const body = await payment(change)
    expect((await post('/verify', body)).body).toMatchObject({ isValid: false, invalidReason: reason })
    expect((await post('/settle', body)).body).toMatchObject({ success: false, errorReason: reason, transaction: '' })
  }
  expect(await sentCount()).toBe(before)
})

test('error: garbage is a typed invalid_payload, never a 500', async () => {
  const good = await payment()
  const noAuthorization = { ...good, paymentPayload: { ...good.paymentPayload, payload: { signature: '0x' } } }
  const changed = Array.from({ length: 4 }, () => structuredClone(good))
  const [foreignCase = good, typo = good, tooLarge = good, unfinished = good] = changed
  const { authorization } = good.paymentPayload.payload
  foreignCase.paymentRequirements.asset = `0x${chain.usdc.slice(2).toUpperCase()}`
  typo.paymentPayload.payload.authorization.from = `0x${authorization.from.slice(2).toUpperCase()}`
  tooLarge.paymentPayload.payload.authorization.validBefore = '9'.repeat(78)
  unfinished.paymentPayload.payload.signature = `0x11${'6492'.repeat(16)}`
  const empty = ['', '{', '[]', 'null', {}, { paymentPayload: {}, paymentRequirements: {} }]
  for (const body of [...empty, noAuthorization, ...changed]) {
    const verified = await post('/verify', body)
    expect(verified).toMatchObject({ status: 400, body: { isValid: false, invalidReason: 'invalid_payload' } })
    const settled = await post('/settle', body)
    expect(settled).toMatchObject({ status: 400, body: { success: false, errorReason: 'invalid_payload' } })
  }
})

test('error: without its bearer token nothing is checked', async () => {
  const networks = [{ network: 'eip155:31337' as const, rpcUrl: chain.url, assets: [chain.usdc], payTo: chain.payTo }]
  const closed = createFacilitator({
    networks,
    privateKeys: [facilitatorKey().privateKey],
    tokens: ['secret', 'old'],
  }).app
  const body = await payment()
  expect((await post('/verify', body, {}, closed)).status).toBe(401)
  expect((await post('/verify', body, { authorization: 'Bearer wrong' }, closed)).status).toBe(401)
  const answer = await post('/verify', body, { authorization: 'Bearer secret' }, closed)
  expect(answer).toMatchObject({ status: 200, body: { isValid: true } })
})

test('error: with its RPC out of reach it calls no payment valid', async () => {
  const networks = [
    { network: 'eip155:31337' as const, rpcUrl: 'http://127.0.0.1:1', assets: [chain.usdc], payTo: chain.payTo },
  ]
  const blind = createFacilitator({ networks, privateKeys: [facilitatorKey().privateKey] }).app
  const answer = await post('/verify', await payment(), {}, blind)
  expect(answer.body.isValid).not.toBe(true)
})

test('error: an open settlement answers only its own signature and its own terms', async () => {
  const store = makeMemoryStore()
  const networks = [{ network: 'eip155:31337' as const, rpcUrl: chain.url, assets: [chain.usdc], payTo: chain.payTo }]
  const { app: after } = createFacilitator({ networks, privateKeys: [facilitatorKey().privateKey], store })
  const body = await payment()
  const settled = (await post('/settle', body)).body
  const { authorization, signature } = body.paymentPayload.payload
  // As a process leaves it that was killed before its answer was sent.
  const id = { network: 'eip155:31337', signer: facilitatorKey().account.address.toLowerCase(), accountNonce: 0 }
  const entry = {
    key: ['eip155:31337', chain.usdc, authorization.from, authorization.nonce].join(' ').toLowerCase(),
    network: 'eip155:31337',
    asset: z.templateLiteral(['0x', z.string()]).parse(chain.usdc.toLowerCase()),
    payer: z.templateLiteral(['0x', z.string()]).parse(authorization.from.toLowerCase()),
    value: BigInt(authorization.value),
    signature,
    gas: 100_000n,
    isTrial: false,
    endedAt: null,
  }
  const hash = z.templateLiteral(['0x', z.string()]).parse(settled.transaction)
  const times = { sentAt: new Date(), pricedAt: new Date(), minedAt: null }
  const left = { ...id, gas: 100_000n, hash, raw: '0x' as const, replaced: [], ...times, entries: [entry] }
  await store.record(left)
  const forged = structuredClone(body)
  forged.paymentPayload.payload.signature = `0x${'11'.repeat(64)}1b`
  expect((await post('/settle', forged, {}, after)).body).toMatchObject({ errorReason: 'duplicate_settlement' })
  const cheaper = structuredClone(body)
  cheaper.paymentRequirements.amount = '1'
  expect((await post('/settle', cheaper, {}, after)).body).toMatchObject({ success: false, transaction: '' })
  expect(await store.find(entry.key)).toEqual(left)
  expect((await post('/settle', body, {}, after)).body).toMatchObject({ success: true, transaction: hash })
  expect((await post('/settle', body, {}, after)).body).toMatchObject({ success: false, transaction: '' })
})

test('error: invalid_payload for a Permit2 payload, alone or beside an authorization', async () => {
  const before = await sentCount()
  const good = await payment()
  const permit2Authorization = { from: chain.buyers[0]?.address, permitted: { token: chain.usdc, amount: '10000' } }
  const { signature } = good.paymentPayload.payload
  for (const payload of [
    { signature, permit2Authorization },
    { ...good.paymentPayload.payload, permit2Authorization },
  ]) {
    const body = { ...good, paymentPayload: { ...good.paymentPayload, payload } }
    expect((await post('/verify', body)).body).toMatchObject({ isValid: false, invalidReason: 'invalid_payload' })
    expect((await post('/settle', body)).body).toMatchObject({ success: false, errorReason: 'invalid_payload' })
  }
  expect(await sentCount()).toBe(before)
})

test('error: a signature of another length from a payer without code is never sent', async () => {
  const before = await sentCount()
  const { signature } = (await payment()).paymentPayload.payload
  const forms: Hex[] = [
    '0x',
    `0x${signature.slice(2, 130)}`,
    concat([signature, '0x00']),
    concat([signature, signature]),
  ]
  for (const form of forms) {
    const body = await payment({}, { signature: form })
    expect((await post('/verify', body)).body).toMatchObject({ invalidReason: 'invalid_exact_evm_signature' })
    expect((await post('/settle', body)).body).toMatchObject({
      errorReason: 'invalid_exact_evm_signature',
      transaction: '',
    })
  }
  expect(await sentCount()).toBe(before)
})

test('error: a validAfter that is not before the block is named as the reason', async () => {
  const rpc = createRpc(chain.url)
  const reason = 'invalid_exact_evm_payload_authorization_valid_after'
  // The chain stands still, and this clock passes its last block: no time is before that block and after now.
  await rpc.call('evm_setIntervalMining', 0)
  try {
    const timestamp = z.object({ timestamp: z.string() })
    const blockTime = Number(timestamp.parse(await rpc.call('eth_getBlockByNumber', 'latest', false)).timestamp)
    await expect.poll(() => Date.now() / 1000).toBeGreaterThan(blockTime)
    const body = await payment({}, { validAfter: `${blockTime}` })
    expect((await post('/verify', body)).body).toMatchObject({ isValid: false, invalidReason: reason })
    expect((await post('/settle', body)).body).toMatchObject({ success: false, errorReason: reason, transaction: '' })
  } finally {
    await rpc.call('evm_setIntervalMining', 1)
  }
})
