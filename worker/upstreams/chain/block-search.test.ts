import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockBefore } from './block-search.ts'
import type { Rpc } from './rpc.ts'

/** A chain whose block times are a list, asked over the port as a node would be. */
function chainOf(times: { at(number: number): number; length: number }) {
  const asked: number[] = []
  const rpc: Rpc = async (_method, [number], schema) => {
    asked.push(Number(number))
    const timestamp = `0x${times.at(Number(number)).toString(16)}`
    return schema.parse({ number, timestamp })
  }
  const last = times.length - 1
  return { rpc, asked, head: { number: BigInt(last), timestamp: BigInt(times.at(last)) } }
}

describe('blockBefore', () => {
  it('behavior: finds an older block at most 16 before the target, for any block times', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(90), { minLength: 1, maxLength: 400 }),
        fc.nat(20_000),
        async (gaps, seconds) => {
          let time = 1000
          const times = gaps.map((gap) => {
            time += gap
            return time
          })
          const { rpc, head } = chainOf({ length: times.length, at: (number) => times[number] ?? Number.NaN })
          const found = Number(await blockBefore(rpc, BigInt(seconds), head))
          const firstNotOlder = times.findIndex((time) => time >= seconds)
          const expectedNewest = firstNotOlder === -1 ? times.length - 1 : Math.max(firstNotOlder - 1, 0)
          expect(found).toBeLessThanOrEqual(expectedNewest)
          expect(found).toBeGreaterThanOrEqual(Math.max(expectedNewest - 16, 0))
        },
      ),
    )
  })

  it('behavior: a year of even blocks takes about as many reads as an hour', async () => {
    const year = { length: 2_628_000, at: (number: number) => 1_700_000_000 + number * 12 }
    const { rpc, asked, head } = chainOf(year)
    await blockBefore(rpc, 1_700_000_000n + 1200n, head)
    expect(asked.length).toBeLessThan(16)
  })

  it('behavior: a long halt of the chain does not make the search crawl', async () => {
    const halted = { length: 2_000_000, at: (number: number) => (number < 1_990_000 ? number : 90_000_000 + number) }
    const { rpc, asked, head } = chainOf(halted)
    expect(Number(await blockBefore(rpc, 1_989_000n, head))).toBeGreaterThan(1_988_980)
    expect(asked.length).toBeLessThan(60)
  })
})
