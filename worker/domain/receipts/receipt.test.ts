import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { recoverTypedDataAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { verifyOutputs, verifyReceipt } from '../../../client/node/receipt.ts'
import { makeTestConfig, TEST_ORIGIN, TEST_RECEIVER } from '../../../test/helpers/config.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../test/helpers/in-process-service.ts'
import { requestHash } from '../../x402/request-hash.ts'

const KEY = `0x${'44'.repeat(32)}` as const
const SIGNER = privateKeyToAccount(KEY).address
const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'

const db = useDatabase()

const hex = z.templateLiteral(['0x', z.string()])
const receiptSchema = z.strictObject({
  domain: z.strictObject({ name: z.string(), version: z.string() }),
  types: z.strictObject({ Receipt: z.array(z.strictObject({ name: z.string(), type: z.string() })) }),
  primaryType: z.literal('Receipt'),
  message: z.record(z.string(), z.unknown()),
  signer: hex,
  signature: hex,
  outputUrls: z.array(z.string()),
})

const PICTURE = 'https://files.example/out.png'
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...Array(24).fill(7)])

/** A service whose runs make one picture. */
function open(config = makeTestConfig({ receiptSigningKey: KEY })) {
  const service = openService({ ...db.database }, { config })
  service.provider.state.output = [PICTURE]
  service.provider.state.files.set(PICTURE, PNG)
  return service
}
const serviceThatSigns = () => open()
type Service = ReturnType<typeof serviceThatSigns>
type Buyer = Awaited<ReturnType<Service['openBuyer']>>

async function buy(buyer: Buyer, body: unknown) {
  const bought = await buyer.answer(body, await buyer.signedPayment(body))
  expect(bought.status).toBe(200)
  return z.looseObject({ id: z.string(), metrics: z.looseObject({ paymentTxHash: z.string() }) }).parse(bought.body)
}

const receiptOf = async (buyer: Buyer, id: string) => buyer.call(`/api/inference/${id}/receipt`)
const readReceipt = async (response: Response) => receiptSchema.parse(await response.json())
const sha256 = (data: string | Uint8Array): string => `0x${createHash('sha256').update(data).digest('hex')}`

/** As a wallet library checks it: by what the document itself says. */
const signerOf = (receipt: z.infer<typeof receiptSchema>) =>
  recoverTypedDataAddress({ ...receipt, message: { ...receipt.message }, signature: receipt.signature })

describe('GET /api/inference/:id/receipt', () => {
  it('default: says what was paid, asked and delivered, signed by the receipt key', async () => {
    const buyer = await serviceThatSigns().openBuyer()
    const { id, metrics } = await buy(buyer, requests.image)
    const response = await receiptOf(buyer, id)
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
    const receipt = await readReceipt(response)
    expect(receipt.message).toEqual({
      service: TEST_ORIGIN,
      id,
      payer: buyer.account.address,
      payTo: TEST_RECEIVER,
      network: 'eip155:84532',
      asset: USDC,
      amount: '10000',
      nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      transaction: metrics.paymentTxHash,
      task: 'text-to-image',
      model: 'black-forest-labs/flux-schnell',
      requestDigest: `0x${await requestHash(requests.image)}`,
      outputDigests: [sha256(PNG)],
      createdAt: '2026-11-27T12:00:00.000Z',
      completedAt: expect.stringMatching(/^2026-11-27T12:00:0\d\.\d{3}Z$/),
    })
    expect(receipt.outputUrls).toEqual([expect.stringMatching(/^https:\/\/cdn\.example\/.+\.png$/)])
    expect([receipt.signer, await signerOf(receipt)]).toEqual([SIGNER, SIGNER])
  })

  it('behavior: an independent checker accepts it, and only with the delivered bytes', async () => {
    const buyer = await serviceThatSigns().openBuyer()
    const { id } = await buy(buyer, requests.image)
    const { receipt, signedBy } = await verifyReceipt(await (await receiptOf(buyer, id)).json(), SIGNER)
    expect(signedBy).toBe(SIGNER)
    expect(() => verifyOutputs(receipt, [PNG])).not.toThrow()
    expect(() => verifyOutputs(receipt, [PNG.with(9, 8)])).toThrow('not what was delivered')
  })

  it('behavior: a text is digested as its UTF-8 bytes and has no URL', async () => {
    const service = serviceThatSigns()
    service.provider.state.output = ['Grüße, ', '世界']
    const buyer = await service.openBuyer()
    const { id } = await buy(buyer, requests.text)
    const receipt = await readReceipt(await receiptOf(buyer, id))
    expect(receipt.message['outputDigests']).toEqual([sha256(Buffer.from('Grüße, 世界', 'utf8'))])
    expect(receipt.outputUrls).toEqual([])
  })

  it('behavior: asked for again it is the same receipt, to the byte', async () => {
    const buyer = await serviceThatSigns().openBuyer()
    const { id } = await buy(buyer, requests.image)
    expect(await (await receiptOf(buyer, id)).text()).toBe(await (await receiptOf(buyer, id)).text())
  })

  it('behavior: a changed amount recovers to another signer', async () => {
    const buyer = await serviceThatSigns().openBuyer()
    const { id } = await buy(buyer, requests.image)
    const receipt = await readReceipt(await receiptOf(buyer, id))
    receipt.message['amount'] = '10001'
    expect(await signerOf(receipt)).not.toBe(SIGNER)
  })

  it('behavior: a digest unknown from copying is read from the store once, and kept', async () => {
    const service = serviceThatSigns()
    const buyer = await service.openBuyer()
    const { id } = await buy(buyer, requests.image)
    const first = await (await receiptOf(buyer, id)).text()
    await db.database.run(sql`update payments set output_digests = '[null]'::jsonb`)
    expect(await (await receiptOf(buyer, id)).text()).toBe(first)
    service.store.state.objects.clear()
    expect(await (await receiptOf(buyer, id)).text()).toBe(first)
  })

  it('error: model_unavailable while the store cannot be read', async () => {
    const service = serviceThatSigns()
    const buyer = await service.openBuyer()
    const { id } = await buy(buyer, requests.image)
    await db.database.run(sql`update payments set output_digests = null`)
    service.store.state.down = true
    const response = await receiptOf(buyer, id)
    expect(await response.json()).toMatchObject({ status: 503, code: 'model_unavailable', paymentState: 'settled' })
    expect(response.headers.get('Retry-After')).toBe('5')
  })

  it('error: model_unavailable for a fifth receipt while four files are read', async () => {
    const service = serviceThatSigns()
    const buyer = await service.openBuyer()
    const { id } = await buy(buyer, requests.image)
    await db.database.run(sql`update payments set output_digests = null`)
    const { sha256: read } = service.store
    service.store.sha256 = (key) => service.deps.sleep(1_000).then(() => read(key))
    const five = await Promise.all(Array.from({ length: 5 }, () => receiptOf(buyer, id)))
    expect(five.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 503])
    const refused = five.find(({ status }) => status === 503)
    expect(await refused?.json()).toMatchObject({ code: 'model_unavailable', paymentState: 'settled' })
    expect((await receiptOf(buyer, id)).status).toBe(200)
  })

  it('error: not_found for a run that failed', async () => {
    const service = serviceThatSigns()
    service.provider.state.plays = (prediction) => ({
      ...prediction,
      status: 'failed',
      rawStatus: 'failed',
      output: null,
    })
    const buyer = await service.openBuyer()
    const failed = await buyer.answer(requests.image, await buyer.signedPayment(requests.image))
    expect(failed.status).toBe(502)
    const response = await receiptOf(buyer, String(failed.body.id))
    expect(await response.json()).toMatchObject({ status: 404, code: 'not_found' })
  })

  it('error: inference_not_found for another wallet, unauthenticated when signed out', async () => {
    const service = serviceThatSigns()
    const buyer = await service.openBuyer()
    const { id } = await buy(buyer, requests.image)
    const other = await receiptOf(await service.openBuyer(), id)
    expect(await other.json()).toMatchObject({ status: 404, code: 'inference_not_found' })
    const signedOut = await service.fetch(`${TEST_ORIGIN}/api/inference/${id}/receipt`, {
      headers: { Origin: TEST_ORIGIN },
    })
    expect(await signedOut.json()).toMatchObject({ status: 401, code: 'unauthenticated' })
  })

  it('error: not_found where no receipt key is set', async () => {
    const service = open(makeTestConfig())
    const buyer = await service.openBuyer()
    const { id } = await buy(buyer, requests.image)
    expect(await (await receiptOf(buyer, id)).json()).toMatchObject({
      code: 'not_found',
      detail: 'This deployment signs no receipts.',
    })
  })
})
