import { createOfferEIP712 } from '@x402/extensions/offer-receipt'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { usdcOf } from '../../../protocol/networks.ts'
import { recoverOfferSigner } from '../../node/x402-offer.ts'
import { done, scriptedService } from '../../testing/scripted-service.ts'
import { createCoinslot } from '../coinslot.ts'
import { SpendCapError } from '../errors.ts'

const service = privateKeyToAccount(`0x${'44'.repeat(32)}`)
const stranger = privateKeyToAccount(`0x${'55'.repeat(32)}`)
const buyer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const PRICED = {
  acceptIndex: 0,
  scheme: 'exact',
  network: 'eip155:8453',
  asset: usdcOf('eip155:8453')?.address ?? '',
  payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  amount: '10000',
  offerValiditySeconds: 300,
}
type Input = typeof PRICED

/** An offer as x402's own server signs it. */
const sign = (changes: Partial<Input> = {}, { by = service, url = 'https://a/api/inference' } = {}) =>
  createOfferEIP712(url, { ...PRICED, ...changes }, (data: Parameters<typeof service.signTypedData>[0]) =>
    by.signTypedData(data),
  )

/** Buys from a service with these offers. Returns how many payments it got. */
async function buy(offers: unknown, { signer = service.address as string | undefined, checks = true } = {}) {
  const extensions = { 'offer-receipt': { info: { offers }, schema: {} } }
  const { fetch, sent } = scriptedService([done], { hasSession: true, extensions, ...(signer && { signer }) })
  const options = { origin: 'https://a', account: buyer, chainId: 8453, fetch, tries: 1 }
  const coinslot = createCoinslot({ ...options, ...(checks && { recoverOfferSigner }) })
  const request = { task: 'text-to-text' as const, model: 'a/b', input: { prompt: 'hello' } }
  await coinslot.run(request).result()
  return sent.length
}

describe('a signed offer', () => {
  it('default: a price with the service’s own signature is paid', async () => {
    expect(await buy([await sign()])).toBe(1)
    expect(await buy([await sign({ asset: PRICED.asset.toLowerCase() }), { format: 'jws', signature: 'a.b.c' }])).toBe(
      1,
    )
  })

  it('default: without offers, or with none for the token, the price is paid as ever', async () => {
    expect(await buy(undefined)).toBe(1)
    expect(await buy([await sign({ network: 'eip155:1' })])).toBe(1)
    expect(await buy([await sign({ asset: PRICED.payTo })])).toBe(1)
  })

  it.each<[string, Parameters<typeof sign>[0], Parameters<typeof sign>[1]]>([
    ['another amount', { amount: '9999' }, {}],
    ['another payee', { payTo: buyer.address }, {}],
    ['another scheme', { scheme: 'upto' }, {}],
    ['another resource', {}, { url: 'https://b/api/inference' }],
    ['a time that is over', { offerValiditySeconds: -1 }, {}],
  ])('error: one of %s is not paid, also where the signature cannot be checked', async (_what, changes, how) => {
    const offers = [await sign(changes, how)]
    for (const checks of [true, false]) {
      await expect(buy(offers, { checks })).rejects.toThrow(
        /another amount, payee, address or time.*Nothing was signed/,
      )
    }
  })

  it.each<[string, () => Promise<unknown>]>([
    ['another key', () => sign({}, { by: stranger })],
    ['no signature', async () => ({ ...(await sign()), signature: '0x' })],
    ['a broken signature', async () => ({ ...(await sign()), signature: `0x${'00'.repeat(65)}` })],
    [
      'a changed text',
      async () => {
        const offer = await sign()
        return { ...offer, payload: { ...offer.payload, version: 2 } }
      },
    ],
  ])('error: one with %s is not paid', async (_what, make) => {
    const refused = buy([await make()])
    await expect(refused).rejects.toThrow(SpendCapError)
    await expect(refused).rejects.toThrow(/the service's key did not sign it/)
  })

  it('error: one of a service that publishes no key is not paid', async () => {
    await expect(buy([await sign()], { signer: '' })).rejects.toThrow(/it is not published/)
  })
})
