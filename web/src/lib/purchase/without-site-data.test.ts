import { makeBuyer } from '@coinslot/client/buyer'
import { ProblemError, readProblem } from '@coinslot/client/problem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, expect, it, vi } from 'vitest'
import { done, RESULT, type Scripted, scriptedService } from '../../../../client/testing/scripted-service.ts'
import { service } from '../api.ts'
import { paymentStore } from './payment-store.ts'
import { proofWithoutCookies } from './without-site-data.ts'

const ORIGIN = 'https://coinslot.example'
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const PATH = '/api/inference'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

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

it('behavior: without cookies a run of many minutes is signed once and reaches its end', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-07-01T10:00:00Z') })
  const pending: Scripted = {
    ...{ status: 202, body: { id: RESULT.id, status: 'pending' } },
    headers: { 'Retry-After': '20' },
  }
  const { fetch, sent, calls } = scriptedService([...Array.from({ length: 7 }, () => pending), done])
  vi.stubGlobal('fetch', fetch)
  vi.stubGlobal('location', { origin: ORIGIN })
  vi.stubGlobal('window', {})
  vi.stubGlobal('document', { cookie: '' })
  const signMessage = vi.fn(account.signMessage)
  const kept = new Map<string, string>()
  const storage = {
    ...{
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    },
    ...{ removeItem: (key: string) => void kept.delete(key), length: 0, key: () => null },
  }
  const label = { model: '', modelName: '', task: '', amount: '', symbol: '', network: '', estimatedSeconds: 1 }
  const buyer = makeBuyer({
    transport: service(),
    account: () => account,
    store: paymentStore(label, { storage, origin: ORIGIN }),
    proof: proofWithoutCookies({ ...account, signMessage }, 8453),
  })
  let isOver = false
  const ended = buyer
    .run({ task: 'text-to-text', model: 'a/b', input: { prompt: 'hi' } })
    .result()
    .catch((error: unknown) => error)
    .finally(() => {
      isOver = true
    })
  while (!isOver) await vi.advanceTimersByTimeAsync(1_000)
  expect(await ended).toEqual(RESULT)
  expect([new Set(sent).size, sent.length]).toEqual([1, 8])
  expect(calls.filter((call) => call.startsWith('POST') && !call.endsWith('proven'))).toHaveLength(1)
  expect(signMessage).toHaveBeenCalledTimes(1)
})
