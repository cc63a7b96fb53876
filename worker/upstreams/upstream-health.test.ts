import { describe, expect, it } from 'vitest'
import { makeUpstreamHealth } from './upstream-health.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 27, 12, 0, seconds))

describe('makeUpstreamHealth', () => {
  it('default: an upstream without a call is up', () => {
    expect(makeUpstreamHealth().isDown('provider', at(0))).toBe(false)
  })

  it('behavior: the third failure in a row is an outage, until 30 s after the last', () => {
    const peers = makeUpstreamHealth()
    peers.recordFailure('provider', at(0))
    peers.recordFailure('provider', at(1))
    expect(peers.isDown('provider', at(1))).toBe(false)
    peers.recordFailure('provider', at(2))
    expect(peers.isDown('provider', at(32))).toBe(true)
    expect(peers.isDown('provider', at(33))).toBe(false)
    expect(peers.isDown('store', at(2))).toBe(false)
  })

  it('behavior: one success ends the row of failures', () => {
    const peers = makeUpstreamHealth()
    for (const second of [0, 1]) peers.recordFailure('store', at(second))
    peers.recordSuccess('store')
    peers.recordFailure('store', at(2))
    expect(peers.isDown('store', at(2))).toBe(false)
  })

  it('behavior: a failed check counts at once, a good one clears it', () => {
    const peers = makeUpstreamHealth()
    peers.recordCheck('provider', false, at(0))
    expect(peers.isDown('provider', at(30))).toBe(true)
    expect(peers.isDown('provider', at(31))).toBe(false)
    peers.recordCheck('provider', false, at(31))
    peers.recordCheck('provider', true, at(32))
    expect(peers.isDown('provider', at(32))).toBe(false)
  })
})
