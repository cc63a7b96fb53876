import { describe, expect, it } from 'vitest'
import { CONFIG, errorOf, make } from '../../../test/helpers/scripted-replicate.ts'
import { makeReplicate } from './replicate.ts'

describe('openFile', () => {
  const FILE = 'https://files.example/out.webp'
  const bytes =
    (headers: HeadersInit = {}) =>
    (): Response =>
      new Response(new Uint8Array(5), { headers })

  it('default: body and length of a file on an allowed host, without our token', async () => {
    const { provider, seen } = make(bytes({ 'content-length': '5' }))
    const file = await provider.openFile(FILE)
    expect([file.length, (await new Response(file.body).arrayBuffer()).byteLength]).toEqual([5, 5])
    expect(seen[0]?.headers).not.toHaveProperty('authorization')
  })

  it('behavior: the token goes to the API’s own origin only', async () => {
    const { provider, seen } = make(bytes())
    await provider.openFile('https://api.provider.example/v1/files/1/download')
    await provider.openFile('https://api.provider.example:8443/v1/files/1')
    expect(seen.map(({ headers }) => headers['authorization'])).toEqual(['Bearer r8_secret', undefined])
  })

  it('behavior: without a length, or compressed, the length is not known', async () => {
    expect((await make(bytes()).provider.openFile(FILE)).length).toBeNull()
    const zipped = make(bytes({ 'content-length': '5', 'content-encoding': 'gzip' }))
    expect((await zipped.provider.openFile(FILE)).length).toBeNull()
  })

  it.each(['https://a.b.files.example/x', 'https://FILES.EXAMPLE/x', 'https://files.example:444/x'])(
    'behavior: %s is allowed',
    async (url) => {
      await make(bytes()).provider.openFile(url)
    },
  )

  it.each([
    'http://files.example/x',
    'https://evilfiles.example/x',
    'https://files.example.evil.example/x',
    'https://files.example./x',
    'https://files.example@evil.example/x',
    'https://user:pw@files.example/x',
    'https://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:8787/',
    'http://[::1]/',
    'https://0x7f000001/',
    'file:///etc/passwd',
    'data:image/png;base64',
    '//files.example/x',
    '',
  ])('error: input for %s, and nothing is asked', async (url) => {
    const { provider, seen } = make(bytes())
    expect((await errorOf(provider.openFile(url))).kind).toBe('input')
    expect(seen).toHaveLength(0)
  })

  it('behavior: http is allowed where the provider itself is on http', async () => {
    const local = { ...CONFIG, baseUrl: 'http://127.0.0.1:5000/v1', fileHosts: ['127.0.0.1'] }
    const provider = makeReplicate(local, { fetch: async () => new Response('x') })
    expect((await provider.openFile('http://127.0.0.1:5001/files/x')).body).toBeTruthy()
    expect((await errorOf(provider.openFile('http://10.0.0.1/x'))).kind).toBe('input')
  })

  it.each([
    [302, 'input'],
    [308, 'input'],
    [404, 'unavailable'],
    [410, 'unavailable'],
    [403, 'unavailable'],
    [429, 'unavailable'],
    [500, 'unavailable'],
  ])('error: status %i is %s', async (status, kind) => {
    const { provider } = make(() => new Response(null, { status, headers: { location: 'http://127.0.0.1/' } }))
    expect((await errorOf(provider.openFile(FILE))).kind).toBe(kind)
  })
})
