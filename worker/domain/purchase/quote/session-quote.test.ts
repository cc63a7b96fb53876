import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../../protocol/canonical-json.ts'
import { makeTestConfig } from '../../../../test/helpers/config.ts'
import { makeTestDeps } from '../../../../test/helpers/deps.ts'
import { catalogue, findModel } from '../../models/catalogue.ts'
import { challenge, promisedTerms, type QuoteSubject } from './quote.ts'
import { packTerms, type SentTerms, unpackTerms } from './session-quote.ts'

const OLD = 'an old secret of at least thirty-two characters'
const NEW = 'a new secret of at least thirty-two characters!'
const session = { address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A', chainId: 84532 } as const
const schnell = modelOf('black-forest-labs/flux-schnell')
const endpoint = { origin: 'https://coinslot.example.com', path: '/api/inference' }
const body = { task: schnell.task, model: schnell.id, input: { prompt: 'a red bicycle' } }
const subject: QuoteSubject = { session, model: schnell, request: canonicalJson(body) }

function modelOf(id: string) {
  const model = findModel(id)
  if (model === undefined) throw new Error(`no model ${id}`)
  return model
}

const database = { run: async () => [], batch: async () => [] }
const AIC = '0x00000000000000000000000000000000000000A1'
const open = (config = makeTestConfig({ sessionSecret: NEW, aic: { tokenAddress: AIC } })) =>
  makeTestDeps({ config, database })

async function quoted(kit = open()) {
  const { required, header } = await challenge(kit.deps, { ...subject, endpoint }, 'Payment required')
  return { kit, required, header, token: tokenOf(required.extensions) }
}

function tokenOf(extensions: unknown): string {
  const text = /"token":"([^"]+)"/.exec(JSON.stringify(extensions))?.[1]
  if (text === undefined) throw new Error('no token')
  return text
}

describe('the quote of a signed-in wallet', () => {
  it('default: it promises what was offered, and the header says the same as the body', async () => {
    const { kit, required, header, token } = await quoted()
    const terms = await promisedTerms(kit.deps, subject, token)
    expect(terms?.entries.map(({ amount }) => amount)).toEqual(required.accepts.map(({ amount }) => amount))
    expect(JSON.parse(Buffer.from(header, 'base64').toString('utf8'))).toEqual(required)
    expect(header).toMatch(/^[A-Za-z0-9+/]+={0,2}$/)
  })

  it('default: the header of one network is at most 900 characters', async () => {
    const { header, required } = await quoted()
    expect(required.accepts).toHaveLength(1)
    expect(header.length).toBeLessThanOrEqual(900)
  })

  const others: [what: string, other: Partial<QuoteSubject>][] = [
    ['another wallet', { session: { ...session, address: '0x00000000000000000000000000000000000000A2' } }],
    ['no session', { session: null }],
    ['another model', { model: modelOf('black-forest-labs/flux-dev') }],
    ['a model of another task', { model: modelOf(catalogue.find(({ task }) => task === 'text-to-text')?.id ?? '') }],
    ['another request', { request: canonicalJson({ ...body, input: { prompt: 'a red bicycle.' } }) }],
  ]
  it.each(others)('error: it promises nothing for %s', async (_what, other) => {
    const { kit, token } = await quoted()
    expect(await promisedTerms(kit.deps, { ...subject, ...other }, token)).toBeNull()
  })

  const changes: [what: string, change: Partial<SentTerms>][] = [
    ['a later end', { expiresAt: 4_000_000_000 }],
    ['a lower rate', { ratePerSec: '0.000000001' }],
    ['a stake, and so a discount', { stakedAic: `${200_000n * 10n ** 18n}` }],
    ['fewer seconds', { estimatedSeconds: '1' }],
    ['other networks', { networks: 2 }],
    ['a price in AIC', { aic: { amount: '1', name: 'AIC' } }],
  ]
  it.each(changes)('error: %s in the token is noticed', async (_what, change) => {
    const { kit, token } = await quoted()
    const unpacked = unpackTerms(token)
    if (unpacked === null) throw new Error('not a token')
    const { sent, signature } = unpacked
    expect(await promisedTerms(kit.deps, subject, `${packTerms(sent)}~${signature}`)).not.toBeNull()
    expect(await promisedTerms(kit.deps, subject, `${packTerms({ ...sent, ...change })}~${signature}`)).toBeNull()
  })

  it('error: it promises nothing after ten minutes', async () => {
    const { kit, token } = await quoted()
    kit.clock.advance(598_000)
    expect(await promisedTerms(kit.deps, subject, token)).not.toBeNull()
    kit.clock.advance(2_000)
    expect(await promisedTerms(kit.deps, subject, token)).toBeNull()
  })

  it('behavior: what the previous secret signed still holds, and nothing of an unknown one', async () => {
    const { token } = await quoted(open(makeTestConfig({ sessionSecret: OLD })))
    const rotated = open(makeTestConfig({ sessionSecret: NEW, sessionSecretPrevious: OLD }))
    expect(await promisedTerms(rotated.deps, subject, token)).not.toBeNull()
    expect(await promisedTerms(open().deps, subject, token)).toBeNull()
  })

  it('error: it promises nothing for another payee', async () => {
    const { token } = await quoted()
    const other = makeTestConfig({ sessionSecret: NEW, receiverAddress: '0x00000000000000000000000000000000000000A3' })
    expect(await promisedTerms(open(other).deps, subject, token)).toBeNull()
  })

  it('default: what is packed is unpacked', () => {
    const decimals = fc.tuple(fc.nat(999_999), fc.nat(999_999_999)).map(([a, b]) => `${a}.${`${b}`.padStart(9, '0')}`)
    const sent = fc.record({
      expiresAt: fc.integer({ min: 0, max: 36 ** 8 - 1 }),
      networks: fc.integer({ min: 0, max: 15 }),
      ratePerSec: decimals,
      stakedAic: fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String),
      estimatedSeconds: fc.constantFrom('10', '1.5', '0.001', '123456.789'),
      aic: fc.option(fc.record({ amount: fc.constantFrom('1', '9'.repeat(78)), name: fc.string({ maxLength: 40 }) })),
    })
    fc.assert(
      fc.property(sent, (terms) => {
        expect(unpackTerms(`${packTerms(terms)}~${'a'.repeat(43)}`)).toEqual({ sent: terms, signature: 'a'.repeat(43) })
      }),
    )
  })

  it.each(['', '2', '2~~~~~~', `1~a~1~0.1~0~10~${'a'.repeat(43)}`, 'a.b', '2~'.repeat(4000)])(
    'error: %j is not a token',
    (token) => {
      expect(unpackTerms(token)).toBeNull()
    },
  )
})
