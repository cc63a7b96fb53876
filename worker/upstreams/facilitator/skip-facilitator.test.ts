import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { TRANSFER_TYPES, transferDomain, transferTypedData } from '../../../protocol/eip3009.ts'
import { SEPOLIA } from '../../../test/helpers/config.ts'
import { makeFakeChain } from '../../../test/helpers/fakes/chain.ts'
import { makeFakeClock } from '../../../test/helpers/fakes/ports.ts'
import { makeRequirements } from '../../x402/requirements.ts'
import type { Authorization, PaymentPayload } from '../../x402/schemas.ts'
import { makeSkipFacilitator } from './skip-facilitator.ts'

const K1 = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const PAYEE = '0x000000000000000000000000000000000000dEaD'
const dev = { ...SEPOLIA, chainId: 31337, network: 'eip155:31337', name: 'Dev' } as const
const requirements = makeRequirements(dev.network, dev.usdc.address, '10000', PAYEE, dev.usdc)
const clock = makeFakeClock()
const authorization: Authorization = {
  from: K1.address,
  to: PAYEE,
  value: '10000',
  validAfter: '0',
  validBefore: String(clock.now().getTime() / 1000 + 60),
  nonce: `0x${'ab'.repeat(32)}`,
}

async function pay(change: Partial<Authorization> = {}): Promise<PaymentPayload> {
  const changed = { ...authorization, ...change }
  const signature = await K1.signTypedData({
    ...transferTypedData(changed, transferDomain(requirements)),
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
  })
  return {
    x402Version: 2,
    payload: { authorization: changed, signature },
    accepted: { scheme: 'exact', network: dev.network, amount: '10000', asset: requirements.asset, payTo: PAYEE },
  }
}

function make() {
  const chain = makeFakeChain(clock)
  const facilitator = makeSkipFacilitator({
    config: { networks: [SEPOLIA, dev] },
    chain,
    now: clock.now,
    newId: () => 'a-uuid',
  })
  return { chain, facilitator }
}

describe('makeSkipFacilitator', () => {
  it('default: a good payment settles without a chain write, a UUID for its hash', async () => {
    const { facilitator } = make()
    expect(await facilitator.verify(await pay(), requirements)).toEqual({ kind: 'valid' })
    expect(await facilitator.settle(await pay(), requirements)).toEqual({ kind: 'settled', transaction: 'a-uuid' })
  })

  it('behavior: serves the dev chain only, whatever else is configured', async () => {
    const { facilitator } = make()
    expect([...(await facilitator.supportedNetworks())]).toEqual(['eip155:31337'])
    const other = { ...requirements, network: SEPOLIA.network }
    expect(await facilitator.settle(await pay(), other)).toEqual({ kind: 'refused', reason: 'invalid_network' })
  })

  it('behavior: a contract wallet’s signature is asked of the chain', async () => {
    const { chain, facilitator } = make()
    const payment = await pay()
    payment.payload.signature = '0x1234'
    expect(await facilitator.verify(payment, requirements)).toEqual({
      kind: 'invalid',
      reason: 'invalid_exact_evm_signature',
    })
    chain.state.validSignatures.add('0x1234')
    expect(await facilitator.verify(payment, requirements)).toEqual({ kind: 'valid' })
  })

  it('error: the wrong amount, payee or time is refused', async () => {
    const { facilitator } = make()
    for (const change of [
      { value: '9999' },
      { to: SEPOLIA.usdc.address },
      { validBefore: '1' },
      { validAfter: '9999999999' },
    ]) {
      expect((await facilitator.settle(await pay(change), requirements)).kind).toBe('refused')
    }
  })

  it('error: an authorization spent on chain is refused', async () => {
    const { chain, facilitator } = make()
    chain.state.script.authorizationStatus = async () => ({ spent: true, blockTime: clock.now() })
    expect(await facilitator.settle(await pay(), requirements)).toEqual({
      kind: 'refused',
      reason: 'invalid_exact_evm_nonce_already_used',
    })
  })

  it('error: a chain out of reach is unavailable before settlement and unknown at it', async () => {
    const { chain, facilitator } = make()
    chain.state.down = true
    expect((await facilitator.verify(await pay(), requirements)).kind).toBe('unavailable')
    expect((await facilitator.settle(await pay(), requirements)).kind).toBe('unknown')
  })
})
