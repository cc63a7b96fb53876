import { expect, it } from 'vitest'
import type { PayEnd } from './chain/pay.ts'
import { createAction } from './create-action.ts'
import type { SaleView } from './create-sale.ts'
import type { SaleWallet } from './create-wallet.ts'
import { DICTIONARIES, useDictionary } from './messages/active.ts'

const option = { id: 'w', name: 'W', icon: null, provider: { request: async () => null } }
const connected = { option, address: '0x00000000000000000000000000000000000000aa' } as const
const wallet = { wallet: () => connected } as Partial<SaleWallet> as SaleWallet
const view = { update: async () => undefined } as Partial<SaleView> as SaleView

it('behavior: the prompt is announced once the code is loaded; a second press starts nothing', async () => {
  useDictionary(await DICTIONARIES.en())
  const action = createAction(wallet, view, 'Done.')
  let calls = 0
  const work = async (): Promise<PayEnd> => {
    calls += 1
    expect(action.step()).toBe('prompt')
    return { at: 'done', hash: null }
  }
  const first = action.run(work)
  expect(action.step()).toBeNull()
  await Promise.all([first, action.run(work)])
  expect(calls).toBe(1)
  expect(action.step()).toBeNull()
  expect(action.notice()).toEqual({ text: 'Done.', hash: null, isGood: true })
  await action.run(work)
  expect(calls).toBe(2)
})
