import { ProblemError, readProblem } from '@coinslot/client/problem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it, vi } from 'vitest'
import { proofWithoutCookies } from './without-site-data.ts'

const ORIGIN = 'https://coinslot.example'
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const PATH = '/api/inference'

const challenge = () => ({ nonce: 'abcdefgh12345678', chainIds: [1, 8453], expiresAt: Date.now() + 240_000 })
const refusal = () => {
  const extension = { info: { nonce: 'anothernonce1234' }, supportedChains: [{ chainId: 'eip155:8453' }] }
  return new ProblemError(readProblem({ nextAction: 'sign_in', extensions: { 'sign-in-with-x': extension } }, 402))
}

it('behavior: without cookies a purchase is signed once, and its record never', async () => {
  vi.stubGlobal('location', { origin: ORIGIN })
  const signMessage = vi.fn(account.signMessage)
  const proof = proofWithoutCookies({ ...account, signMessage }, 8453)
  const asked = challenge()
  const [quoted, paid] = [await proof.headers(PATH, asked), await proof.headers(PATH, asked)]
  expect(quoted['SIGN-IN-WITH-X']).toBeDefined()
  expect(paid).toEqual(quoted)
  expect(signMessage.mock.calls[0]?.[0].message).toContain('Chain ID: 8453')
  expect(await proof.renew(refusal())).toMatchObject({ nonce: 'anothernonce1234' })

  // A refused read of the record leads back to the payment, which needs no further signature.
  expect(await proof.headers(`${PATH}/01234567-89ab-4cde-8f01-23456789abcd`, asked)).toEqual({})
  expect(await proof.renew(refusal())).toBeUndefined()
  expect(signMessage).toHaveBeenCalledTimes(1)
})
