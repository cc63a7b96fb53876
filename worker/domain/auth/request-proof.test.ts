import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x'
import { createSiweMessage } from 'viem/siwe'
import { describe, expect, it, vi } from 'vitest'
import { K1, K2 } from '../../../test/helpers/app.ts'
import { TEST_ORIGIN } from '../../../test/helpers/config.ts'
import { makeTestDeps } from '../../../test/helpers/deps.ts'
import { AppError } from '../../errors.ts'
import { makeChallenge, type SignInChallenge } from './challenge.ts'
import { makeNonce } from './nonce.ts'
import { readRequestProof } from './request-proof.ts'

const PATH = '/api/inference'
const CHAIN = 'eip155:84532'

function setUp() {
  const kit = makeTestDeps()
  const challenge = (path = PATH) => makeChallenge(kit.deps.config, { origin: TEST_ORIGIN, path, now: kit.clock.now() })
  return { ...kit, challenge }
}

/** The header as the published package writes it. */
async function proofOf(info: SignInChallenge['info'], change: Record<string, unknown> = {}, chainId = CHAIN) {
  const payload = await createSIWxPayload({ ...info, chainId, type: 'eip191' }, K1, info.uri)
  return encodeSIWxHeader({ ...payload, ...change })
}

/** A proof that the published package refuses to sign: its own check of the origin would stop it. */
async function signedAnyway(info: SignInChallenge['info']): Promise<string> {
  const message = createSiweMessage({
    ...info,
    address: K1.address,
    chainId: 84532,
    issuedAt: new Date(info.issuedAt),
    expirationTime: new Date(info.expirationTime),
  })
  const signature = await K1.signMessage({ message })
  return btoa(JSON.stringify({ ...info, address: K1.address, chainId: CHAIN, type: 'eip191', signature }))
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )

describe('proof of the wallet for one request', () => {
  it('default: what the published client signs is a session for this request', async () => {
    const { deps, challenge } = setUp()
    const { info } = await challenge()
    expect(await readRequestProof(deps, await proofOf(info), PATH)).toEqual({
      session: { address: K1.address, chainId: 84532 },
      nonce: info.nonce,
    })
  })

  it('behavior: a proof is valid for reads for five minutes and is verified once', async () => {
    const { deps, clock, challenge } = setUp()
    const header = await proofOf((await challenge()).info)
    const recover = vi.spyOn(deps.chain, 'verifyMessage')
    for (let read = 0; read < 3; read += 1) expect(await codeOf(readRequestProof(deps, header, PATH))).toBe('accepted')
    expect(recover).not.toHaveBeenCalled()
    clock.advance(299_000)
    expect(await codeOf(readRequestProof(deps, header, PATH))).toBe('accepted')
    clock.advance(2_000)
    expect(await codeOf(readRequestProof(deps, header, PATH))).toBe('invalid_siwe_message')
  })

  it("behavior: a contract wallet's proof asks the chain once, not at each read", async () => {
    const { deps, chain, challenge } = setUp()
    const signature = `0x${'ab'.repeat(600)}` as const
    chain.state.validSignatures.add(signature)
    const header = await proofOf((await challenge()).info, { signature })
    for (let read = 0; read < 3; read += 1) expect(await codeOf(readRequestProof(deps, header, PATH))).toBe('accepted')
    expect(chain.state.calls.filter((name) => name === 'verifyMessage')).toHaveLength(1)
  })

  it('error: every way in which a proof can be of something else', async () => {
    const { deps, clock, challenge } = setUp()
    const { info } = await challenge()
    const other = (change: Partial<SignInChallenge['info']>) => proofOf({ ...info, ...change })
    const cookieNonce = await makeNonce(deps.config, clock.now())
    const cases: [string, string, string][] = [
      ['another path', await proofOf((await challenge('/api/account')).info), 'invalid_siwe_message'],
      ['another address in it', await proofOf(info, { address: K2.address }), 'invalid_signature'],
      ['another nonce in it', await proofOf(info, { nonce: (await challenge()).info.nonce }), 'invalid_signature'],
      ['a nonce for cookies', await other({ nonce: cookieNonce }), 'nonce_expired'],
      ['a nonce made up', await other({ nonce: 'abcdefgh12345678' }), 'nonce_expired'],
      ['another version', await proofOf(info, { version: '2' }), 'invalid_siwe_message'],
      ['a chain that is not served', await proofOf(info, {}, 'eip155:10'), 'unsupported_chain'],
      ['another signature type', await proofOf(info, { type: 'ed25519' }), 'invalid_siwe_message'],
      ['no base64', '%%%', 'invalid_siwe_message'],
      ['no JSON', btoa('not json'), 'invalid_siwe_message'],
      ['a list', btoa('[]'), 'invalid_siwe_message'],
      ['an empty header', '', 'invalid_siwe_message'],
      ['a huge header', 'A'.repeat(40_000), 'invalid_siwe_message'],
      ['a line break in a field', await proofOf(info, { statement: 'a\nb' }), 'invalid_siwe_message'],
    ]
    for (const [name, header, code] of cases)
      expect([name, await codeOf(readRequestProof(deps, header, PATH))]).toEqual([name, code])
  })

  it('error: of another domain or origin, issued long ago or in the future', async () => {
    const { deps, clock, challenge } = setUp()
    const { info } = await challenge()
    const at = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
    const cases: [string, Partial<SignInChallenge['info']>][] = [
      ['another domain', { domain: 'evil.example', uri: 'https://evil.example/api/inference' }],
      ['another origin in the URI', { uri: 'https://evil.example/api/inference' }],
      ['issued seven minutes ago', { issuedAt: at(-420_000) }],
      ['issued in two minutes', { issuedAt: at(120_000) }],
      ['expired', { expirationTime: at(-1_000) }],
    ]
    for (const [name, change] of cases) {
      expect([name, await codeOf(readRequestProof(deps, await signedAnyway({ ...info, ...change }), PATH))]).toEqual([
        name,
        'invalid_siwe_message',
      ])
    }
  })
})
