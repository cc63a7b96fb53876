import { describe, expect, it } from 'vitest'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../test/helpers/in-process-service.ts'
import { findModel } from '../../domain/models/catalogue.ts'

const db = useDatabase()
const OLD = 'openai/gpt-4o-mini'
const RETIRED = { deprecation: '@1799884800', sunset: 'Thu, 14 Jan 2027 00:00:00 GMT' }
const NOTHING = { deprecation: null, sunset: null }
const old = { task: 'text-to-text', model: OLD, input: { prompt: 'Why is the sea blue?' } }

const shown = ({ headers }: { headers: Headers }) => ({
  deprecation: headers.get('Deprecation'),
  sunset: headers.get('Sunset'),
})

describe('Deprecation and Sunset', () => {
  it('default: the day on which the catalogue says the maker retires the model', () => {
    expect(new Date(1_799_884_800_000).toISOString()).toBe(findModel(OLD)?.deprecatedAt)
    expect(new Date(RETIRED.sunset).toISOString()).toBe(findModel(OLD)?.deprecatedAt)
  })

  it.each([
    ['an estimate', '/api/inference/estimate', { task: old.task, model: OLD }, 200],
    ['a 402', '/api/inference', old, 402],
    ['a problem', '/api/inference', { ...old, input: {} }, 400],
    [
      'a 402 in OpenAI’s form',
      '/v1/chat/completions',
      { model: OLD, messages: [{ role: 'user', content: 'Hi' }] },
      402,
    ],
    ['a problem in OpenAI’s form', '/v1/audio/speech', { model: OLD, input: 'Hi' }, 400],
  ])('behavior: on %s', async (_what, path, body, status) => {
    const buyer = await openService(db.database).openBuyer()
    const answer = await buyer.call(path, { method: 'POST', body: JSON.stringify(body) })
    expect([answer.status, shown(answer)]).toEqual([status, RETIRED])
  })

  it('behavior: on a result, and on its stream', async () => {
    const buyer = await openService(db.database).openBuyer()
    const header = await buyer.signedPayment(old)
    const answer = await buyer.answer(old, header)
    expect([answer.status, shown(answer)]).toEqual([200, RETIRED])
    const stream = await buyer.call('/api/inference', {
      method: 'POST',
      body: JSON.stringify(old),
      headers: { Accept: 'text/event-stream', 'Payment-Signature': header },
    })
    expect([stream.headers.get('Content-Type'), shown(stream)]).toEqual(['text/event-stream', RETIRED])
    await stream.text()
  })

  it('behavior: not on answers about a model that stays, or about none', async () => {
    const buyer = await openService(db.database).openBuyer()
    for (const [path, body] of [
      ['/api/inference', requests.image],
      ['/api/inference', { model: 'a/b' }],
      ['/api/inference/estimate', []],
    ] as const) {
      expect(shown(await buyer.call(path, { method: 'POST', body: JSON.stringify(body) }))).toEqual(NOTHING)
    }
    expect(shown(await buyer.call('/api/models'))).toEqual(NOTHING)
  })
})
