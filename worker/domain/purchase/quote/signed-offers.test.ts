import { decodePaymentRequiredHeader } from '@x402/core/http'
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  findAcceptsObjectFromSignedOffer,
  verifyOfferSignatureEIP712,
} from '@x402/extensions/offer-receipt'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { KNOWN_NETWORKS } from '../../../../protocol/networks.ts'
import { makeTestApp } from '../../../../test/helpers/app.ts'
import { BASE_SEPOLIA, makeTestConfig, SEPOLIA, TEST_ORIGIN } from '../../../../test/helpers/config.ts'
import { downDatabase } from '../../../../test/helpers/fakes/ports.ts'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService } from '../../../../test/helpers/in-process-service.ts'

const db = useDatabase()
const KEY = `0x${'44'.repeat(32)}` as const
const REQUEST = { task: 'text-to-image', model: 'black-forest-labs/flux-schnell', input: { prompt: 'a red bicycle' } }
const MINUTE_MS = 60_000

const database = { ...downDatabase, run: async () => [] }
const open = (overrides: Parameters<typeof makeTestConfig>[0] = {}) =>
  makeTestApp({ database: { ...database }, config: makeTestConfig({ receiptSigningKey: KEY, ...overrides }) })
type Kit = ReturnType<typeof open>

async function ask(kit: Kit, path = '/api/inference', body: unknown = REQUEST) {
  const { headers } = await kit.client().post(path, body)
  const header = headers.get('Payment-Required') ?? ''
  const required = decodePaymentRequiredHeader(header)
  return { header, required, offers: extractOffersFromPaymentRequired(required) }
}

it('behavior: x402’s own checker finds every entry signed, with the key of the receipts', async () => {
  const kit = open({ networks: [BASE_SEPOLIA, SEPOLIA] })
  const { required, offers } = await ask(kit)
  expect(decodeSignedOffers(offers).map((offer) => findAcceptsObjectFromSignedOffer(offer, required.accepts))).toEqual(
    required.accepts,
  )
  for (const offer of offers) {
    if (offer.format !== 'eip712') throw new Error('another format')
    const { signer, payload } = await verifyOfferSignatureEIP712(offer)
    expect(signer).toBe(privateKeyToAccount(KEY).address)
    expect(payload.resourceUrl).toBe(`${TEST_ORIGIN}/api/inference`)
    const secondsLeft = payload.validUntil - kit.clock.now().getTime() / 1000
    expect(secondsLeft).toBeGreaterThan(540)
    expect(secondsLeft).toBeLessThanOrEqual(600)
  }
})

it('behavior: an offer is signed once a minute, whatever is asked for, and once more per path', async () => {
  const kit = open()
  const first = (await ask(kit)).offers
  kit.clock.advance(MINUTE_MS - (kit.clock.now().getTime() % MINUTE_MS) - 1)
  const second = (await ask(kit, '/api/inference', { ...REQUEST, input: { prompt: 'a blue one' } })).offers
  expect(second).toEqual(first)
  kit.clock.advance(1)
  expect((await ask(kit)).offers).not.toEqual(first)
  const other = await ask(kit, '/v1/images/generations', { model: REQUEST.model, prompt: 'a red bicycle' })
  expect(decodeSignedOffers(other.offers)).toMatchObject([{ resourceUrl: `${TEST_ORIGIN}/v1/images/generations` }])
})

it.each([2, 3, 4])('behavior: with %d networks the header is under 6 KiB: the first offers that fit', async (count) => {
  const all = ['eip155:1', 'eip155:8453', 'eip155:84532', 'eip155:11155111'].map((network) => {
    const { chainId = 0, usdc = BASE_SEPOLIA.usdc } = KNOWN_NETWORKS[network] ?? {}
    return { ...BASE_SEPOLIA, chainId, usdc, network: `eip155:${chainId}` } as const
  })
  const [first = BASE_SEPOLIA, ...others] = all.slice(0, count)
  const kit = open({ networks: [first, ...others] })
  kit.facilitator.state.networks = new Set(all.map(({ network }) => network))
  const { header, offers, required } = await ask(kit)
  expect(header.length).toBeLessThan(6 * 1024)
  expect(required.accepts).toHaveLength(count)
  expect(decodeSignedOffers(offers).map(({ network }) => network)).toEqual(
    required.accepts.slice(0, { 2: 2, 3: 2 }[count] ?? 1).map(({ network }) => network),
  )
})

it('default: none for a signed-in caller, or without a key to sign with', async () => {
  const config = makeTestConfig({ receiptSigningKey: KEY })
  const buyer = await openService(db.database, { config }).openBuyer()
  expect(Object.keys((await buyer.quote(REQUEST)).extensions ?? {})).toEqual(['quote'])
  const { offers } = await ask(makeTestApp({ database: { ...database } }))
  expect(offers).toEqual([])
})
