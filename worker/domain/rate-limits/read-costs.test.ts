import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { makeTestDeps } from '../../../test/helpers/deps.ts'
import { inSlot, READ_COSTS, type ReadKind, slotted, startRead } from './read-costs.ts'

const KINDS = Object.keys(READ_COSTS) as ReadKind[]

/** A service whose waits pass at once. */
function makeReader() {
  const kit = makeTestDeps()
  kit.deps.sleep = async (ms) => kit.clock.advance(ms)
  return { ...kit, deps: { ...kit.deps, log: kit.log, waitUntil: () => undefined } }
}

describe('reads have a price', () => {
  it.each(KINDS)('error: G3 %s takes a slot, and the one too many is refused', async (kind) => {
    const { deps } = makeReader()
    const slots = await Promise.all(
      Array.from({ length: READ_COSTS[kind].atOnce }, () => startRead(deps, kind, '0xaa')),
    )
    const code = READ_COSTS[kind].limit === null ? 'model_unavailable' : 'rate_limited'
    await expect(startRead(deps, kind, '0xAA')).rejects.toMatchObject({ code })
    slots[0]?.release()
    await expect(startRead(deps, kind, '0xaa')).resolves.toBeDefined()
  })

  it('error: G3 files of a paid replay are never refused by count', async () => {
    const { deps, rateLimiter } = makeReader()
    rateLimiter.state.allowed = false
    const slots = await Promise.all(Array.from({ length: 8 }, () => startRead(deps, 'replayed files', '0xaa')))
    await expect(startRead(deps, 'replayed files', '0xbb')).rejects.toMatchObject({
      details: { paymentState: 'settled', nextAction: 'retry_same_payment', retryAfterSeconds: 5 },
    })
    for (const slot of slots) slot.release()
  })

  it('behavior: a read over its limit is rate_limited before it takes a slot', async () => {
    const { deps, rateLimiter } = makeReader()
    rateLimiter.state.allowed = false
    await expect(inSlot(deps, 'search', '0xaa', async () => 'read')).rejects.toMatchObject({ code: 'rate_limited' })
    expect(rateLimiter.state.taken).toEqual(['searches:0xaa'])
  })

  it('behavior: a failed read returns its slot', async () => {
    const { deps } = makeReader()
    const failing = (): Promise<never> => Promise.reject(new Error('no'))
    for (let count = 0; count < 3; count += 1)
      await expect(inSlot(deps, 'search', '0xaa', failing)).rejects.toThrow('no')
  })

  it('behavior: a stream keeps its slot to its end, or until its reader leaves', async () => {
    const { deps } = makeReader()
    const bytes = () => new Blob(['abc']).stream()
    const whole = slotted(bytes(), await startRead(deps, 'csv', '0xaa'))
    await expect(startRead(deps, 'csv', '0xaa')).rejects.toMatchObject({ code: 'rate_limited' })
    expect(await new Response(whole).text()).toBe('abc')
    const left = slotted(bytes(), await startRead(deps, 'csv', '0xaa'))
    await left.cancel()
    await expect(startRead(deps, 'csv', '0xaa')).resolves.toBeDefined()
  })
})

it('behavior: docs/security.md shows what each read may take', () => {
  const rows = readFileSync('docs/security.md', 'utf8').matchAll(
    /^\| ([a-z ]+) \| (\S+|–) \| (\d+) per (wallet|isolate) \| ([\d.]+) s \|$/gm,
  )
  const shown = [...rows].map(([, kind, limit, atOnce, per, wait]) => [kind, limit, Number(atOnce), per, Number(wait)])
  const costs = Object.entries(READ_COSTS).map(([kind, { limit, atOnce, per, waitMs }]) => [
    kind,
    limit ?? '–',
    atOnce,
    per,
    waitMs / 1000,
  ])
  expect(shown).toEqual(costs)
})
