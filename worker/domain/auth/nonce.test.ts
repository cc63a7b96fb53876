import { describe, expect, it } from 'vitest'
import { makeTestConfig } from '../../../test/helpers/config.ts'
import { isFreshNonce, makeNonce } from './nonce.ts'

const config = makeTestConfig()
const MADE = new Date('2026-11-27T12:00:00.900Z')
const later = (seconds: number) => new Date(MADE.getTime() + seconds * 1000)

describe('nonce', () => {
  it('default: 1,000 nonces are letters and digits, all different', async () => {
    const nonces = await Promise.all(Array.from({ length: 1000 }, () => makeNonce(config, MADE)))
    expect(new Set(nonces).size).toBe(1000)
    for (const nonce of nonces) expect(nonce).toMatch(/^[A-Za-z0-9]{17,}$/)
  })

  it('behavior: lives 10 minutes', async () => {
    const nonce = await makeNonce(config, MADE)
    expect(await isFreshNonce(config, nonce, MADE)).toBe(true)
    expect(await isFreshNonce(config, nonce, later(599))).toBe(true)
    expect(await isFreshNonce(config, nonce, later(601))).toBe(false)
  })

  it('error: made in a browser, changed by a digit, or of another service', async () => {
    const nonce = await makeNonce(config, MADE)
    const flip = (at: number) => nonce.slice(0, at) + (nonce[at] === '0' ? '1' : '0') + nonce.slice(at + 1)
    for (const bad of ['abcdefgh12345678', '', flip(0), flip(20), flip(91), `${nonce}0`, nonce.toUpperCase()]) {
      expect(await isFreshNonce(config, bad, MADE), bad).toBe(false)
    }
    const other = makeTestConfig({ publicOrigins: ['https://other.example'] })
    expect(await isFreshNonce(other, nonce, MADE)).toBe(false)
  })

  it('behavior: one made with the previous secret still works after a rotation', async () => {
    const nonce = await makeNonce(config, MADE)
    const rotated = makeTestConfig({
      sessionSecret: 'another secret, also long enough for iron',
      sessionSecretPrevious: config.sessionSecret,
    })
    expect(await isFreshNonce(rotated, nonce, MADE)).toBe(true)
  })

  it('error: one made for a challenge is worthless for sign-in, and the other way round', async () => {
    const [nonce, challenge] = [await makeNonce(config, MADE), await makeNonce(config, MADE, 'challenge')]
    expect(await isFreshNonce(config, nonce, MADE, 'challenge')).toBe(false)
    expect(await isFreshNonce(config, challenge, MADE)).toBe(false)
    expect(await isFreshNonce(config, challenge, MADE, 'challenge')).toBe(true)
  })
})
