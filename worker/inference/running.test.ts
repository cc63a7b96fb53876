import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type InProcessDatabase, openInProcessDatabase } from '../../test/helpers/in-process-database.ts'
import { type Answer, openService, requests, type Service, verdictOf } from '../../test/helpers/in-process-service.ts'
import { type Prediction, ProviderError } from '../providers/provider.ts'
import { StorageUnavailable } from '../storage/object-store.ts'

let db: InProcessDatabase
beforeAll(async () => {
  db = await openInProcessDatabase()
})
afterAll(() => db.close())
beforeEach(() => db.reset())

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Array(40).fill(0)])
const FILE = 'https://files.example/out.png'

const served = { status: 200 }
const pending = { status: 202, paymentState: 'settled', nextAction: 'poll' }
const failed = { status: 502, code: 'inference_failed', paymentState: 'settled', nextAction: 'give_up' }

async function openWith(request: unknown = requests.text, prepare: (service: Service) => void = () => undefined) {
  const service = openService(db.database)
  const buyer = await service.openBuyer()
  const header = await buyer.signedPayment(request)
  prepare(service)
  return { service, buyer, pay: () => buyer.answer(request, header), create: () => service.calls().create }
}

/** Lets every scheduled run of `minutes` happen. */
async function pass(service: Service, minutes: number): Promise<void> {
  for (let seconds = 0; seconds < minutes * 60; seconds += 10) {
    service.clock.advance(10_000)
    await service.tick()
  }
}

const journal = async () => (await db.database.run(sql`select state, reason, attempts from payments`))[0]
const record = async () => (await db.database.run(sql`select status, payment_tx_hash, error from inferences`))[0]
const unavailable = (more?: ConstructorParameters<typeof ProviderError>[2]) =>
  new ProviderError('unavailable', 'the provider answered 503', more)

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
    await pass(service, 1 + 1 + 5 + 30 + 119)
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
    // What was started shows in the list after 45 s.
    const { list } = service.provider
    service.provider.list = async function* (since) {
      for await (const prediction of list(since)) {
        const ageMs = service.clock.now().getTime() - (prediction.createdAt?.getTime() ?? 0)
        if (ageMs >= 45_000) yield prediction
      }
    }
    await pass(service, 8)
    expect(create()).toBe(1)
    expect(verdictOf(await pay())).toEqual(served)
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

describe('a run that takes its time', () => {
  const play = (change: (prediction: Prediction, service: Service) => Partial<Prediction>) => (service: Service) => {
    service.provider.state.plays = (prediction) => ({ ...prediction, ...change(prediction, service) })
  }
  const running = { status: 'running', rawStatus: 'starting', output: null } as const
  const ageMs = (prediction: Prediction, service: Service): number =>
    service.clock.now().getTime() - (prediction.createdAt?.getTime() ?? 0)

  it('behavior: a cold boot of 20 s is waited for', async () => {
    const { service, pay } = await openWith(
      requests.text,
      play((prediction, service) => (ageMs(prediction, service) < 20_000 ? running : {})),
    )
    const arrivedAt = service.clock.now().getTime()
    expect(verdictOf(await pay())).toEqual(served)
    const tookMs = service.clock.now().getTime() - arrivedAt
    expect(tookMs).toBeGreaterThanOrEqual(20_000)
    expect(tookMs).toBeLessThan(22_000)
  })

  it('behavior: a boot of 90 s is 202 after 55 s and finished without the client', async () => {
    const { service, pay, create } = await openWith(
      requests.text,
      play((prediction, service) => (ageMs(prediction, service) < 90_000 ? running : {})),
    )
    const arrivedAt = service.clock.now().getTime()
    expect(verdictOf(await pay())).toEqual(pending)
    expect(service.clock.now().getTime() - arrivedAt).toBe(55_000)
    await service.finish()
    expect(await record()).toMatchObject({ status: 'succeeded' })
    expect(verdictOf(await pay())).toEqual(served)
    expect(create()).toBe(1)
  })

  it('behavior: a run that never ends is cancelled and owed 45 minutes after settlement', async () => {
    const { service, pay } = await openWith(
      requests.text,
      play(() => ({ ...running, rawStatus: 'an unknown status' })),
    )
    await pay()
    await service.finish()
    await pass(service, 34)
    expect(await journal()).toMatchObject({ state: 'settled' })
    await pass(service, 3)
    expect(await journal()).toMatchObject({ state: 'owed' })
    expect((await pay()).body['error']).toMatchObject({ code: 'run_timed_out' })
  })

  it.each([
    ['failed', 'NSFW content detected. Try running it again.', 'content_rejected'],
    ['failed', 'CUDA out of memory', 'run_failed'],
    ['canceled', null, 'run_canceled'],
    ['aborted', null, 'run_aborted'],
  ])('behavior: a run that %s (%s) fails the purchase as %s', async (rawStatus, error, code) => {
    const { pay, create } = await openWith(
      requests.text,
      play(() => ({ status: 'failed', rawStatus, error, output: null })),
    )
    const answer = await pay()
    expect(verdictOf(answer)).toEqual(failed)
    expect(answer.body['error']).toMatchObject({ code })
    expect(verdictOf(await pay())).toEqual(failed)
    expect(create()).toBe(1)
    expect(await journal()).toMatchObject({ state: 'owed' })
  })

  it('behavior: a run without a time has no actual cost and does not enter the mean', async () => {
    const { pay } = await openWith(
      requests.text,
      play(() => ({ predictTimeMs: null })),
    )
    const answer = await pay()
    expect(answer.body['metrics']).toMatchObject({ predictTimeMs: null, actualCostUsdc: null })
    expect(await db.database.run(sql`select succeeded::int, timed::int from model_sums`)).toEqual([
      { succeeded: 1, timed: 0 },
    ])
  })

  it('behavior: three dropped looks in a row are borne, four put the purchase off', async () => {
    for (const [misses, verdict] of [
      [3, served],
      [4, pending],
    ] as const) {
      await db.reset()
      const { service, pay, create } = await openWith(
        requests.text,
        play((prediction, service) => (ageMs(prediction, service) < 5_000 ? running : {})),
      )
      const { get } = service.provider
      let left = misses as number
      service.provider.get = (id) => {
        left -= 1
        return left >= 0 ? Promise.reject(unavailable()) : get(id)
      }
      expect(verdictOf(await pay())).toEqual(verdict)
      await pass(service, 1)
      expect(verdictOf(await pay())).toEqual(served)
      expect(create()).toBe(1)
    }
  })
})

describe('the store', () => {
  const image = (service: Service): void => {
    service.provider.state.output = [FILE]
    service.provider.state.files.set(FILE, PNG)
  }

  it('default: media are copied under the key drawn at the claim', async () => {
    const { service, pay } = await openWith(requests.image, image)
    const answer = await pay()
    expect(answer.body['output']).toEqual({
      type: 'image',
      urls: [expect.stringMatching(/^https:\/\/cdn\.example\/i\/[0-9a-f-]{36}\/0\.png$/)],
    })
    expect(service.calls()).toEqual({ verify: 1, settle: 1, create: 1, put: 1 })
  })

  it('behavior: a store that is away means 202, and the finished run is stored later', async () => {
    const { service, pay } = await openWith(requests.image, (service) => {
      image(service)
      service.store.state.down = true
    })
    expect(verdictOf(await pay())).toEqual(pending)
    service.store.state.down = false
    await pass(service, 0.6)
    expect(verdictOf(await pay())).toEqual(served)
    expect(service.calls()).toMatchObject({ create: 1 })
  })

  it('behavior: what was stored before the record was lost is found again by its key', async () => {
    const { service, pay } = await openWith(requests.image, (service) => {
      image(service)
      const { put } = service.store
      service.store.put = async (key, body, meta) => {
        await put(key, body, meta)
        throw new StorageUnavailable('the answer was lost')
      }
    })
    expect(verdictOf(await pay())).toEqual(pending)
    const lost = service.provider.state
    lost.files.clear()
    lost.plays = (prediction) => ({ ...prediction, output: null, dataRemoved: true })
    await pass(service, 0.6)
    const answer = await pay()
    expect(verdictOf(answer)).toEqual(served)
    expect(answer.body['output']).toMatchObject({ urls: [expect.stringMatching(/\/0\.png$/)] })
  })

  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a page', '<!doctype html><script>1</script>'],
  ])('behavior: %s is not kept, whatever it calls itself', async (_what, text) => {
    const { service, pay } = await openWith(requests.image, (service) => {
      image(service)
      service.provider.state.files.set(FILE, new TextEncoder().encode(text))
    })
    const answer = await pay()
    expect(verdictOf(answer)).toEqual(failed)
    expect(answer.body['error']).toMatchObject({ code: 'output_refused' })
    expect(service.calls()).toMatchObject({ create: 1, put: 0 })
  })

  it('behavior: a run without output is a failed one', async () => {
    const { pay } = await openWith(requests.image, ({ provider }) => {
      provider.state.output = null
    })
    expect((await pay()).body['error']).toMatchObject({ code: 'output_empty' })
  })
})

describe('the files of a run', () => {
  const ID3 = new TextEncoder().encode('ID3\u0004\u0000')
  const MP4 = new TextEncoder().encode('\u0000\u0000\u0000\u0020ftypisom')
  const files = (...all: [url: string, bytes: Uint8Array][]) => {
    return ({ provider }: Service): void => {
      provider.state.output = all.map(([url]) => url)
      for (const [url, bytes] of all) provider.state.files.set(url, bytes)
    }
  }
  const missing = () => new ProviderError('unavailable', 'the output file answered 404', { missing: true })

  it.each([
    ['an MP3', ID3],
    ['an MP4', MP4],
  ])('error: inference_failed when an image run made only %s', async (_kind, bytes) => {
    const { service, pay } = await openWith(requests.image, files([FILE, bytes]))
    const answer = await pay()
    expect(verdictOf(answer)).toEqual(failed)
    expect(answer.body['error']).toMatchObject({ code: 'output_refused' })
    expect(service.calls().put).toBe(0)
  })

  it('behavior: files of another kind are left out, the others served', async () => {
    const { service, pay } = await openWith(requests.image, files([`${FILE}?1`, ID3], [FILE, PNG]))
    const answer = await pay()
    expect(answer.body['output']).toMatchObject({ type: 'image', urls: [expect.stringMatching(/\/1\.png$/)] })
    expect(service.calls().put).toBe(1)
  })

  it('behavior: a file that is not visible at first is looked for again and served', async () => {
    const { service, pay, create } = await openWith(requests.image, files([FILE, PNG]))
    const { openFile } = service.provider
    service.provider.openFile = () => Promise.reject(missing())
    expect(verdictOf(await pay())).toEqual(pending)
    expect(await journal()).toMatchObject({ reason: 'output_not_found' })
    service.provider.openFile = openFile
    await pass(service, 0.6)
    expect(verdictOf(await pay())).toEqual(served)
    expect(create()).toBe(1)
  })

  it('error: inference_failed when a file stays missing for some minutes', async () => {
    const { service, pay, create } = await openWith(requests.image, files([FILE, PNG]))
    service.provider.openFile = () => Promise.reject(missing())
    await pay()
    await pass(service, 5)
    expect(await journal()).toMatchObject({ state: 'settled' })
    await pass(service, 3)
    const answer = await pay()
    expect(verdictOf(answer)).toEqual(failed)
    expect(answer.body['error']).toMatchObject({ code: 'output_lost' })
    expect(create()).toBe(1)
  })

  it('behavior: files that cannot be read now count as an outage of the provider', async () => {
    const { service, pay } = await openWith(requests.image, files([FILE, PNG]))
    service.provider.openFile = () => Promise.reject(unavailable())
    expect(verdictOf(await pay())).toEqual(pending)
    expect(await journal()).toMatchObject({ reason: 'provider_unavailable', attempts: 1 })
  })
})

describe('a provider that asks to be left alone', () => {
  it('behavior: for a year is tried again at the next longer delay, and the tries end', async () => {
    const { service, pay } = await openWith(requests.text, ({ provider }) => {
      provider.state.createError = unavailable({ retryAfterSeconds: 31_536_000 })
    })
    const settledAt = service.clock.now().getTime()
    await pay()
    const rows = await db.database.run(sql`select next_attempt_at from payments`)
    expect(new Date(String(rows[0]?.['next_attempt_at'])).getTime() - settledAt).toBe(60_000)
    await pass(service, 1 + 5 + 30 + 120 + 120 + 5)
    expect(verdictOf(await pay())).toEqual(failed)
  })
})

describe('upstreams known to be down', () => {
  it('behavior: nothing is charged while the provider failed three times in a row', async () => {
    const { service, buyer } = await openWith()
    const now = service.clock.now()
    const header = await buyer.signedPayment(requests.text)
    for (let failures = 0; failures < 3; failures += 1) service.deps.upstreams.recordFailure('provider', now)
    const answer: Answer = await buyer.answer(requests.text, header)
    expect(verdictOf(answer)).toEqual({
      status: 503,
      code: 'model_unavailable',
      paymentState: 'unused',
      nextAction: 'wait_and_retry',
    })
    expect(service.calls()).toEqual({ verify: 0, settle: 0, create: 0, put: 0 })
    service.clock.advance(31_000)
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
  })
})
