import { createSIWxClientExtension, wrapFetchWithSIWx } from '@x402/extensions/sign-in-with-x'
import { wrapFetchWithPayment } from '@x402/fetch'
import { describe, expect, it } from 'vitest'
import { TEST_ORIGIN } from '../../../test/helpers/config.ts'
import { requests } from '../../../test/helpers/in-process-service.ts'
import { useSessionlessCaller } from '../../../test/helpers/sessionless-caller.ts'

const setUp = useSessionlessCaller()
const BODY = requests.text

describe('published x402 clients, unmodified', () => {
  const buyWith = async (buy: typeof fetch) => {
    const response = await buy(`${TEST_ORIGIN}/api/inference`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(BODY),
    })
    return { status: response.status, text: await response.text() }
  }

  it('default: @x402/fetch with the extension of sign-in-with-x', async () => {
    const { stock, account, calls } = setUp()
    const client = stock.client().registerExtension(createSIWxClientExtension({ signers: [account] }))
    expect(await buyWith(wrapFetchWithPayment(stock.fetch, client))).toMatchObject({ status: 200 })
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('default: wrapFetchWithPayment around wrapFetchWithSIWx', async () => {
    const { stock, account, calls } = setUp()
    const buy = wrapFetchWithPayment(wrapFetchWithSIWx(stock.fetch, account), stock.client())
    expect(await buyWith(buy)).toMatchObject({ status: 200 })
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('default: plain @x402/fetch with PAYMENT_SIGN_IN', async () => {
    const { stock, calls } = setUp(true)
    expect(await buyWith(wrapFetchWithPayment(stock.fetch, stock.client()))).toMatchObject({ status: 200 })
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })
})
