import { privateKeyToAccount } from 'viem/accounts'
import { expect, it, vi } from 'vitest'
import { keepUntilClosed, PAYMENT_KEY, pendingPayers, siteStorage } from '../../../shared/storage.ts'
import { IDLE, type Purchase } from '../lib/purchase/states.ts'
import type { Connected, Identity } from './create-identity.ts'
import { makePurchase } from './make-purchase.ts'

const { address } = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const payer = address.toLowerCase()

it('error: without site data a kept payment continues after the wallet refused a proof', async () => {
  const challenge = { info: { nonce: 'abcdefgh12345678' }, supportedChains: [{ chainId: 'eip155:8453' }] }
  const refusal = {
    ...{ code: 'payment_required', title: 'Prove the wallet', status: 402, paymentState: 'in_flight' },
    ...{ nextAction: 'sign_in', extensions: { 'sign-in-with-x': challenge } },
  }
  const headers = { 'content-type': 'application/problem+json' }
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(refusal), { status: 402, headers }))
  vi.stubGlobal('window', { addEventListener: () => undefined, removeEventListener: () => undefined })
  vi.stubGlobal('navigator', { cookieEnabled: false, onLine: true })
  vi.stubGlobal('location', { origin: 'https://coinslot.example' })
  vi.stubGlobal('document', { cookie: '' })
  keepUntilClosed()
  const kept = { id: 'p', payer, header: 'e30=', body: '{}', label: {} }
  siteStorage().setItem(PAYMENT_KEY + payer, JSON.stringify(kept))

  const request = vi.fn(async ({ method }: { method: string }) => {
    if (method === 'eth_chainId') return '0x2105'
    throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
  })
  const wallet = { address, option: { id: 'w', name: 'W', icon: null, provider: { request } } } as unknown as Connected
  const identity = { wallet: () => wallet, session: () => null, ready: Promise.resolve(), reconcile: () => undefined }
  let state: Purchase = { ...IDLE }
  const actions = makePurchase({
    state: () => state,
    setState: (next) => {
      state = next(state)
    },
    identity: identity as unknown as Identity,
    servedChains: async () => [8453],
    onSettled: () => undefined,
  })
  state = { at: 'awaiting_sign_in', payer }
  for (const asked of [1, 2]) {
    await actions.collect()
    expect(state).toMatchObject({ at: 'sign_in', draft: null })
    await actions.signIn()
    expect(state).toEqual({ at: 'awaiting_sign_in', payer })
    expect(request.mock.calls.filter(([{ method }]) => method === 'personal_sign')).toHaveLength(asked)
  }
  expect(pendingPayers()).toEqual([payer])
})
