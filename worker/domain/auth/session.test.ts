import type { CookieJar } from 'iron-session'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { makeTestConfig, TEST_ORIGIN } from '../../../test/helpers/config.ts'
import type { Config } from '../../config/config.ts'
import { clearSession, readSession, SESSION_SECONDS, writeSession } from './session.ts'

const SESSION = { address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A', chainId: 84532 } as const
const START = new Date('2026-11-27T12:00:00Z')
const NAME = '__Host-session'

function makeJar(cookies: Record<string, string> = {}) {
  const written: { name: string; value: string; maxAge: number | undefined }[] = []
  const jar: CookieJar = {
    read: (name) => cookies[name],
    names: () => Object.keys(cookies),
    write(name, value, { maxAge }) {
      written.push({ name, value, maxAge })
      cookies[name] = value
    },
  }
  return { jar, written, cookies }
}

const travel = (seconds: number) => vi.setSystemTime(START.getTime() + seconds * 1000)

async function seal(config: Config, seconds?: number): Promise<string> {
  const { jar, cookies } = makeJar()
  await writeSession(config, jar, TEST_ORIGIN, SESSION, seconds)
  return cookies[NAME] ?? ''
}

const open = (config: Config, cookie: string) => readSession(config, makeJar({ [NAME]: cookie }).jar, TEST_ORIGIN)

describe('session cookie', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: START, toFake: ['Date'] })
  })

  it('default: opens what it wrote, for 7 days', async () => {
    const config = makeTestConfig()
    const { jar, written } = makeJar()
    await writeSession(config, jar, TEST_ORIGIN, SESSION)
    expect(written).toEqual([{ name: NAME, value: expect.any(String), maxAge: SESSION_SECONDS }])
    const cookie = written[0]?.value ?? ''
    expect(await open(config, cookie)).toEqual(SESSION)
    travel(SESSION_SECONDS - 5)
    expect(await open(config, cookie)).toEqual(SESSION)
    travel(SESSION_SECONDS + 5)
    expect(await open(config, cookie)).toBeNull()
  })

  it.each([1, 30, 60, 61, 600])(
    'behavior: ends with a message that ends in %d s, not a minute later',
    async (seconds) => {
      const config = makeTestConfig()
      const cookie = await seal(config, seconds)
      travel(seconds - 0.5)
      expect(await open(config, cookie)).toEqual(SESSION)
      travel(seconds + 1.5)
      expect(await open(config, cookie)).toBeNull()
    },
  )

  it('behavior: survives two rotations in a row, when it is used between them', async () => {
    const first = makeTestConfig({ sessionSecret: 'the first secret, 32 characters or more' })
    const second = makeTestConfig({
      sessionSecret: 'the second secret, 32 characters or more',
      sessionSecretPrevious: first.sessionSecret,
    })
    const third = makeTestConfig({
      sessionSecret: 'the third secret, 32 characters or more',
      sessionSecretPrevious: second.sessionSecret,
    })
    const old = await seal(first)
    expect(await open(second, old)).toEqual(SESSION)
    expect(await open(third, await seal(second))).toEqual(SESSION)
    expect(await open(third, old)).toBeNull()
  })

  it('behavior: an opened seal is cached for its configuration only, until it expires', async () => {
    const config = makeTestConfig()
    const cookie = await seal(config, 600)
    const decrypt = vi.spyOn(crypto.subtle, 'decrypt')
    try {
      for (let call = 0; call < 3; call += 1) expect(await open(config, cookie)).toEqual(SESSION)
      expect(decrypt).toHaveBeenCalledTimes(1)
    } finally {
      decrypt.mockRestore()
    }
    expect(await open(makeTestConfig({ sessionSecret: 'another secret, 32 characters or more' }), cookie)).toBeNull()
    travel(599)
    expect(await open(config, cookie)).toEqual(SESSION)
    travel(601)
    expect(await open(config, cookie)).toBeNull()
  })

  it('error: a seal with any part changed, cut, empty or huge opens no session', async () => {
    const config = makeTestConfig()
    const cookie = await seal(config)
    // The good one is known from here on; its changed copies are strangers.
    expect(await open(config, cookie)).toEqual(SESSION)
    const parts = cookie.split('*')
    const broken = parts.map((part, index) => {
      const flipped = part.startsWith('A') ? `B${part.slice(1)}` : `A${part.slice(1)}`
      return parts.with(index, flipped).join('*')
    })
    for (const bad of [...broken, cookie.slice(0, 40), 'garbage', '', 'x'.repeat(8192)]) {
      expect(await open(config, bad), bad.slice(0, 60)).toBeNull()
    }
  })

  it('behavior: a session of a chain that is no longer served is ignored', async () => {
    const cookie = await seal(makeTestConfig())
    const { networks } = makeTestConfig()
    const moved = makeTestConfig({ networks: [{ ...networks[0], chainId: 8453, network: 'eip155:8453' }] })
    expect(await open(moved, cookie)).toBeNull()
  })

  it('behavior: clearing expires the cookie, with or without one', async () => {
    for (const cookies of [{}, { [NAME]: 'garbage' }]) {
      const { jar, written } = makeJar(cookies)
      await clearSession(makeTestConfig(), jar, TEST_ORIGIN)
      expect(written[0]).toEqual({ name: NAME, value: '', maxAge: 0 })
    }
  })
})
