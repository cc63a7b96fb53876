import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { done, problem, RESULT, scriptedService } from '../../testing/scripted-service.ts'
import type { TypedPayment } from '../account.ts'
import { createCoinslot } from '../coinslot.ts'
import { SpendCapError } from '../errors.ts'
import { memoryStore } from '../store.ts'

const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const request = { task: 'text-to-text', model: 'a/b', input: { prompt: 'hi' } } as const
const ETHEREUM = 'eip155:1'
const BASE_SEPOLIA = 'eip155:84532'

/** A buyer that asks for `chainId` at a service that serves `chainIds` and offers `networks`. */
function setUp(chainId: number | undefined, chainIds: number[], networks: string[], script = [done]) {
  const service = scriptedService(script, { chainIds, networks })
  const signedOn: number[] = []
  const account = {
    address: signer.address,
    signMessage: signer.signMessage,
    signTypedData: (payment: TypedPayment) => {
      signedOn.push(payment.domain.chainId)
      return signer.signTypedData(payment)
    },
  }
  const store = memoryStore()
  const options = { origin: 'https://a.example', account, store, fetch: service.fetch, tries: 1 }
  const coinslot = createCoinslot({ ...options, ...(chainId !== undefined && { chainId }) })
  return { ...service, coinslot, options, signedOn }
}

describe('the network that is paid on', () => {
  it.each([
    ['the asked one', 84_532, [1, 84_532], [ETHEREUM, BASE_SEPOLIA], 84_532],
    ['that of the session', undefined, [84_532], [ETHEREUM, BASE_SEPOLIA], 84_532],
    ['Ethereum where the session is there', undefined, [1, 84_532], [BASE_SEPOLIA, ETHEREUM], 1],
  ])('default: it is %s, whatever is offered first', async (_, asked, chainIds, networks, paidOn) => {
    const { coinslot, signedOn } = setUp(asked, chainIds, networks)
    expect(await coinslot.run(request).result()).toEqual(RESULT)
    expect(signedOn).toEqual([paidOn])
  })

  it.each([
    ['the asked network', 84_532, [1, 84_532]],
    ['the network of the session', undefined, [84_532]],
  ])('error: SpendCapError where nothing is offered on %s; nothing is signed', async (_, asked, chainIds) => {
    const { coinslot, signedOn, sent } = setUp(asked, chainIds, [ETHEREUM])
    const failed = coinslot.run(request).result()
    await expect(failed).rejects.toThrow(SpendCapError)
    await expect(failed).rejects.toThrow(
      /no USDC on Base Sepolia .* Nothing was signed\. It offers 0x\w+ on Ethereum\./,
    )
    expect([signedOn, sent, await coinslot.unfinished()]).toEqual([[], [], []])
  })

  it('error: SpendCapError for a chosen offer that is not on the asked network', async () => {
    const { coinslot, signedOn } = setUp(84_532, [84_532], [ETHEREUM])
    const quote = await coinslot.quote(request)
    const [offer] = quote.offers
    if (offer === undefined) throw new Error('no offer')
    expect(() => coinslot.pay(quote, offer)).toThrow('The offer is on Ethereum, not on chain 84532.')
    expect(signedOn).toEqual([])
  })

  it('error: a payment kept for the same request on another network is not sent', async () => {
    const away = problem(503, { code: 'facilitator_unavailable', nextAction: 'wait_and_retry' })
    const { coinslot, options, sent } = setUp(1, [1, 84_532], [ETHEREUM, BASE_SEPOLIA], [away])
    await expect(coinslot.run(request).result()).rejects.toThrow('is kept')
    const elsewhere = createCoinslot({ ...options, chainId: 84_532 })
    await expect(elsewhere.run(request).result()).rejects.toThrow('on Ethereum, not on chain 84532. Nothing was sent')
    expect([sent.length, (await coinslot.unfinished()).length]).toEqual([1, 1])
  })
})
