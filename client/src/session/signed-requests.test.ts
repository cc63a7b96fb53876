import { parseSIWxHeader, verifySIWxSignature } from '@x402/extensions/sign-in-with-x'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Account } from '../account.ts'
import type { SignInChallenge } from './challenge.ts'
import { signRequests } from './signed-requests.ts'
import { makeTransport } from './transport.ts'

const ORIGIN = 'https://coinslot.example:8443'
const START = Date.parse('2026-07-01T10:00:00Z')
const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)

beforeEach(() => {
  vi.useFakeTimers({ now: START })
})

const challenge = (members: Partial<SignInChallenge> = {}): SignInChallenge => ({
  nonce: 'abcdefgh12345678',
  chainIds: [8453, 1],
  expiresAt: START + 300_000,
  ...members,
})

/** One service's challenge in a 402. */
const asked = (nonce: string, info: Record<string, unknown> = {}): Response => {
  const extension = { info: { nonce, ...info }, supportedChains: [{ chainId: 'eip155:8453', type: 'eip191' }] }
  return Response.json({ nextAction: 'sign_in', extensions: { 'sign-in-with-x': extension } }, { status: 402 })
}

const refused = (status: number, code: string): Response => Response.json({ code, nextAction: 'sign_in' }, { status })

/** A wallet that counts its messages, at a service with these answers. */
function setUp(answers: Response[] = [], chainId?: number, account: Account = signer) {
  const messages: string[] = []
  /** The nonce of each call's proof. */
  const nonces: (string | undefined)[] = []
  const left = [...answers]
  const transport = makeTransport({
    origin: ORIGIN,
    fetch: async (_url, { headers }) => {
      const header = new Headers(headers).get('SIGN-IN-WITH-X')
      nonces.push(header === null ? undefined : parseSIWxHeader(header).nonce)
      return left.shift() ?? Response.json({})
    },
  })
  const counting: Account = {
    ...account,
    signMessage: async ({ message }) => {
      messages.push(message)
      return account.signMessage({ message })
    },
  }
  return { proof: signRequests(transport, () => counting, chainId), messages, nonces }
}

const headerOf = async (proof: ReturnType<typeof setUp>['proof'], path: string, one = challenge()) =>
  (await proof.headers(path, one))['SIGN-IN-WITH-X'] ?? ''

describe('the proof of one request', () => {
  it('default: @x402/extensions reads it and finds its signature valid', async () => {
    const payload = parseSIWxHeader(await headerOf(setUp().proof, '/api/account'))
    expect(payload).toMatchObject({
      address: signer.address,
      domain: 'coinslot.example:8443',
      uri: `${ORIGIN}/api/account`,
      chainId: 'eip155:1',
      expirationTime: '2026-07-01T10:05:00.000Z',
    })
    expect(await verifySIWxSignature(payload)).toMatchObject({ isValid: true })
  })

  it('default: what is signed is the text that viem writes, byte for byte', async () => {
    const { proof, messages } = setUp()
    await proof.headers('/api/inference', challenge())
    expect(messages).toEqual([
      createSiweMessage({
        domain: 'coinslot.example:8443',
        uri: `${ORIGIN}/api/inference`,
        version: '1',
        statement: 'Sign in to Coinslot.',
        address: signer.address,
        chainId: 1,
        nonce: 'abcdefgh12345678',
        issuedAt: new Date(START),
        expirationTime: new Date(START + 300_000),
      }),
    ])
  })

  it.each([
    ['the asked chain', 8453, [1, 8453], 8453],
    ['Ethereum where the service accepts it', undefined, [8453, 1], 1],
    ['the first chain of the service', undefined, [8453, 10], 8453],
    ['an accepted chain where the asked one is not: nothing can be paid there', 5, [8453], 8453],
  ])('default: it is signed for %s', async (_, asked, chainIds, chainId) => {
    const header = await headerOf(setUp([], asked).proof, '/api/account', challenge({ chainIds }))
    expect(parseSIWxHeader(header).chainId).toBe(`eip155:${chainId}`)
  })

  it('behavior: the long signature of a contract wallet is passed on unchanged', async () => {
    const signature = `0x${'ab'.repeat(700)}` as const
    const wallet: Account = { ...signer, signMessage: async () => signature }
    expect(parseSIWxHeader(await headerOf(setUp([], 8453, wallet).proof, '/api/account')).signature).toBe(signature)
  })

  it('behavior: one signature for each path and nonce, and none that expires on its way', async () => {
    const { proof, messages } = setUp()
    await Promise.all([headerOf(proof, '/a'), headerOf(proof, '/a'), headerOf(proof, '/b')])
    await headerOf(proof, '/a', challenge({ nonce: 'anothernonce' }))
    expect(messages).toHaveLength(3)
    vi.setSystemTime(START + 290_000)
    expect(await proof.headers('/a', challenge())).toEqual({})
  })

  it('behavior: a refusal by the wallet is asked again the next time', async () => {
    let isWilling = false
    const wallet: Account = {
      ...signer,
      signMessage: async (args) => {
        if (isWilling) return signer.signMessage(args)
        throw new Error('rejected')
      },
    }
    const { proof } = setUp([], 8453, wallet)
    await expect(proof.headers('/a', challenge())).rejects.toThrow('rejected')
    isWilling = true
    expect(await headerOf(proof, '/a')).not.toBe('')
  })
})

describe('a call that pays nothing', () => {
  it('default: its challenge is answered once, and serves other paths until it expires', async () => {
    const { proof, messages, nonces } = setUp([asked('firstnonce'), Response.json({})])
    expect((await proof.call('/api/account')).status).toBe(200)
    await proof.call('/api/account')
    await proof.call('/api/inferences?limit=1')
    expect([nonces, messages.length]).toEqual([[undefined, 'firstnonce', 'firstnonce', 'firstnonce'], 2])
    expect(messages[1]).toContain(`URI: ${ORIGIN}/api/inferences\n`)
    vi.setSystemTime(START + 300_000)
    await proof.call('/api/account')
    expect(nonces.at(-1)).toBeUndefined()
  })

  it.each([
    [400, 'invalid_siwe_message'],
    [401, 'nonce_expired'],
    [401, 'invalid_signature'],
  ])('behavior: after %i %s another challenge is answered', async (status, code) => {
    const { proof, nonces } = setUp([asked('firstnonce'), refused(status, code), asked('secondnonce')])
    expect((await proof.call('/api/account')).status).toBe(200)
    expect(nonces).toEqual([undefined, 'firstnonce', undefined, 'secondnonce'])
  })

  it('error: a service that refuses every proof is called at most four times', async () => {
    const { proof, nonces } = setUp(Array.from({ length: 9 }, (_, at) => asked(`nonce${at}xyz`)))
    expect((await proof.call('/api/account')).status).toBe(402)
    expect(nonces).toHaveLength(4)
  })

  it('behavior: a challenge that names another site is signed for the called one', async () => {
    const foreign = { domain: 'bank.example', uri: 'https://bank.example/pay', statement: 'I agree.' }
    const { proof, messages } = setUp([asked('firstnonce', foreign)])
    await proof.call('/api/account')
    expect(messages.join()).toContain('coinslot.example:8443 wants you to sign in')
    expect(messages.join()).not.toMatch(/bank|agree/)
  })

  it.each([['a line\nbreak'], ['short'], ['n'.repeat(201)], [''], ['späte-nonce']])(
    'error: a nonce that is not letters and digits is not signed: %j',
    async (nonce) => {
      const { proof, messages } = setUp([asked(nonce)])
      await proof.call('/api/account')
      expect(messages).toEqual([])
    },
  )
})
