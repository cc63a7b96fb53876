import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from '../../../../db/client.ts'
import { requests, type Service, verdictOf } from '../../../../test/helpers/in-process-service.ts'
import { journalRowIn } from '../../../../test/helpers/journal-rows.ts'
import { failed, pass, pending, served, unavailable, useRuns } from '../../../../test/helpers/paid-run.ts'
import { type Prediction, ProviderError } from '../../../upstreams/provider/provider.ts'

const { db, openWith, journal, record } = useRuns()

describe('a provider that does not take the run', () => {
  it.each([
    ['429', unavailable({ retryAfterSeconds: 30 })],
    ['its own 402', unavailable()],
    ['401', unavailable()],
    ['500', unavailable({ maybeStarted: true })],
  ])('behavior: %s is 202, and the run is started a minute after settlement', async (_status, error) => {
    const { service, pay, create } = await openWith(requests.text, ({ provider }) => {
      provider.state.createError = error
    })
    const first = await pay()
    expect(verdictOf(first)).toEqual(pending)
    expect(first.headers.get('Location')).toBe(`/api/inference/${first.body.id}`)
    expect(await record()).toMatchObject({ status: 'pending' })
    service.provider.state.createError = null
    await pass(service, 0.8)
    expect(create()).toBe(0)
    await pass(service, 0.2)
    expect(create()).toBe(1)
    expect(verdictOf(await pay())).toEqual(served)
  })

  it('behavior: 4xx on the input fails the purchase, the money is kept', async () => {
    const { pay } = await openWith(requests.text, ({ provider }) => {
      provider.state.createError = new ProviderError('input', 'the provider answered 422')
    })
    const answer = await pay()
    expect(verdictOf(answer)).toEqual(failed)
    expect(answer.body['error']).toMatchObject({ code: 'input_rejected' })
    expect(answer.headers.has('Payment-Response')).toBe(true)
    expect(await journal()).toMatchObject({ state: 'owed' })
    expect(await record()).toMatchObject({ status: 'failed', payment_tx_hash: expect.stringMatching(/^0x/) })
  })

  it('behavior: tried again after 0.5, 1, 5, 30 and 120 minutes, then failed and owed', async () => {
    const { service, pay, create } = await openWith(requests.text, ({ provider }) => {
      provider.state.createError = unavailable()
    })
    await pay()
    await pass(service, 1 + 1 + 5, 60)
    await pass(service, 30, 30 * 60)
    await pass(service, 119, 119 * 60)
    expect(await journal()).toMatchObject({ state: 'settled' })
    await pass(service, 3)
    expect(await journal()).toMatchObject({ state: 'owed' })
    const answer = await pay()
    expect(verdictOf(answer)).toEqual(failed)
    expect(answer.body['error']).toMatchObject({ code: 'provider_unavailable' })
    expect(create()).toBe(0)
  })
})

describe('a run whose start is not known', () => {
  /** The provider starts the run, and its answer is lost. */
  const loseAnswer = ({ provider }: Service): void => {
    const create = provider.create
    provider.create = async (request) => {
      await create(request)
      throw unavailable({ maybeStarted: true })
    }
  }

  it('behavior: it is found in the list and adopted', async () => {
    const { service, pay, create } = await openWith(requests.text, loseAnswer)
    expect(verdictOf(await pay())).toEqual(pending)
    await pass(service, 0.6)
    expect(verdictOf(await pay())).toEqual(served)
    expect(create()).toBe(1)
  })

  it('behavior: it is found by a look at each run where the list leaves the webhook out', async () => {
    const { service, pay, create } = await openWith(requests.text, loseAnswer)
    await pay()
    service.provider.list = async function* () {
      for (const prediction of service.provider.state.predictions.values()) yield { ...prediction, webhook: null }
    }
    await pass(service, 0.6)
    expect(verdictOf(await pay())).toEqual(served)
    expect(create()).toBe(1)
  })

  it('behavior: a listed run that cannot be read ends no other purchase', async () => {
    const { service, pay, create } = await openWith(requests.text, loseAnswer)
    await pay()
    const list = service.provider.list
    const gone = { ...[...service.provider.state.predictions.values()][0], id: 'gone', webhook: null } as Prediction
    service.provider.list = async function* (since) {
      yield gone
      yield* list(since)
    }
    await pass(service, 0.6)
    expect(await journal()).toMatchObject({ state: 'settled' })
    service.provider.list = list
    await pass(service, 2)
    expect(verdictOf(await pay())).toEqual(served)
    expect(create()).toBe(1)
  })

  it('behavior: a list that is out of reach means waiting', async () => {
    const { service, pay, create } = await openWith(requests.text, loseAnswer)
    await pay()
    const { list } = service.provider
    service.provider.list = () => {
      throw unavailable()
    }
    await pass(service, 5)
    expect(create()).toBe(1)
    service.provider.list = list
    await pass(service, 5)
    expect(verdictOf(await pay())).toEqual(served)
    expect(create()).toBe(1)
  })

  it('behavior: a second start whose answer is lost is looked for as long as the first', async () => {
    const { service, pay, create } = await openWith(requests.text, ({ provider }) => {
      provider.state.createError = unavailable()
    })
    await pay()
    service.provider.state.createError = null
    loseAnswer(service)
    showAfter(service, 45_000)
    await pass(service, 8)
    expect(create()).toBe(1)
    expect(verdictOf(await pay())).toEqual(served)
  })

  /** The provider's list shows a run this long after its start. */
  const showAfter = ({ provider, clock }: Service, lagMs: number): void => {
    const { list } = provider
    provider.list = async function* (since) {
      for await (const prediction of list(since)) {
        const ageMs = clock.now().getTime() - (prediction.createdAt?.getTime() ?? 0)
        if (ageMs >= lagMs) yield prediction
      }
    }
  }

  it('behavior: a worker that dies in a throttled start leaves its run to be found', async () => {
    const { service, pay, create } = await openWith(requests.text, (opened) => {
      const { provider } = opened
      const { create: startRun } = provider
      let calls = 0
      provider.create = async (request) => {
        calls += 1
        if (calls === 1) throw unavailable({ retryAfterSeconds: 9 })
        if (calls > 2) return startRun(request)
        await startRun(request)
        return new Promise(() => undefined)
      }
      showAfter(opened, 58_000)
    })
    expect(verdictOf(await pay())).toEqual(pending)
    await pass(service, 3)
    expect(create()).toBe(1)
    expect(verdictOf(await pay())).toEqual(served)
  })

  it('behavior: a start late after the settled mark leaves its run to be found', async () => {
    const { service, pay, create } = await openWith(requests.text, (opened) => {
      const { deps, provider, clock } = opened
      const { database } = deps
      const { create: startRun } = provider
      deps.database = {
        ...database,
        async run(statement, options) {
          const rows = await database.run(statement, options)
          if (journalRowIn(rows[0])?.payment['state'] === 'settled' && create() === 0) clock.advance(20_000)
          return rows
        },
      }
      provider.create = async (request) => {
        const run = await startRun(request)
        return create() > 1 ? run : new Promise(() => undefined)
      }
      showAfter(opened, 58_000)
    })
    expect(verdictOf(await pay())).toEqual(pending)
    await pass(service, 3)
    expect(create()).toBe(1)
    expect(verdictOf(await pay())).toEqual(served)
  })

  it('behavior: a throttled start is sent again as soon as the provider allows', async () => {
    const { service, pay, create } = await openWith(requests.text, ({ provider }) => {
      const { create: startRun } = provider
      const errors = [unavailable({ retryAfterSeconds: 6 }), unavailable({ retryAfterSeconds: 4 })]
      provider.create = async (request) => {
        const error = errors.shift()
        if (error) throw error
        return startRun(request)
      }
    })
    const sent = service.clock.now().getTime()
    expect(verdictOf(await pay())).toEqual(served)
    expect([create(), service.clock.now().getTime() - sent]).toEqual([1, 10_000])
  })

  it('behavior: a later start whose id could not be written is started once', async () => {
    const { service, pay, create } = await openWith(requests.image, (opened) => {
      const { deps, provider } = opened
      provider.state.createError = unavailable()
      provider.state.plays = (run) => ({ ...run, status: 'running', rawStatus: 'processing', output: null })
      showAfter(opened, 58_000)
      const { database } = deps
      let fails = true
      deps.database = {
        ...database,
        async run(statement, options) {
          if (fails && create() === 1) {
            fails = false
            throw new DatabaseUnavailable('it is away for one statement')
          }
          return database.run(statement, options)
        },
      }
    })
    await pay()
    service.provider.state.createError = null
    await pass(service, 4)
    expect(create()).toBe(1)
  })

  it('behavior: another driver’s run counts, and this one is cancelled if possible', async () => {
    const { service, pay } = await openWith(requests.text, ({ provider }) => {
      const { create } = provider
      provider.create = async (request) => {
        const first = await create(request)
        await db.database.run(sql`update payments set provider_prediction_id = ${first.id}`)
        return create(request)
      }
      provider.cancel = () => Promise.reject(new ProviderError('input', 'it has ended already'))
    })
    expect(verdictOf(await pay())).toEqual(served)
    expect(service.log.lines.map(({ event }) => event)).toContain('prediction.doubled')
  })
})
