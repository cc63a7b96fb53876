import { describe, expect, it } from 'vitest'
import { requests, type Service, verdictOf } from '../../../../test/helpers/in-process-service.ts'
import { failed, pass, pending, served, unavailable, useRuns } from '../../../../test/helpers/paid-run.ts'
import { ProviderError } from '../../../upstreams/provider/provider.ts'
import { StorageUnavailable } from '../../../upstreams/store/object-store.ts'

const { openWith, journal } = useRuns()

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Array(40).fill(0)])
const FILE = 'https://files.example/out.png'

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

  it('behavior: an SVG is not kept, whatever it calls itself', async () => {
    const { service, pay } = await openWith(requests.image, (service) => {
      image(service)
      service.provider.state.files.set(FILE, new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'))
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

  it.each([
    ['a waiting page', '<!doctype html><title>Please wait</title>'],
    ['an empty body', ''],
    ['a word', 'pending'],
    ['a JSON word', '"starting"'],
  ])('error: D1 %s at the first look is looked at again, and the file served', async (_what, text) => {
    const { service, pay, create } = await openWith(requests.image, files([FILE, new TextEncoder().encode(text)]))
    expect(verdictOf(await pay())).toEqual(pending)
    expect(await journal()).toMatchObject({ reason: 'output_not_found' })
    service.provider.state.files.set(FILE, PNG)
    await pass(service, 0.6)
    expect(verdictOf(await pay())).toEqual(served)
    expect(create()).toBe(1)
  })

  it('error: D1 a page that never goes away is lost, and the other files are served', async () => {
    const page = new TextEncoder().encode('<!doctype html><title>Please wait</title>')
    const { service, pay } = await openWith(requests.image, files([`${FILE}?1`, page], [FILE, PNG]))
    expect(verdictOf(await pay())).toEqual(pending)
    await pass(service, 5)
    await pass(service, 3)
    const answer = await pay()
    expect(verdictOf(answer)).toEqual(served)
    expect(answer.body['output']).toMatchObject({ urls: [expect.stringMatching(/\/1\.png$/)] })
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
