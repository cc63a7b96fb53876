import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutAtStop, makeStopCutter } from './stops.ts'

/** The text up to the first of the stops, by looking for each. */
function plainly(text: string, stops: readonly string[]): string {
  const found = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0)
  return found.length === 0 ? text : text.slice(0, Math.min(...found))
}

describe('stop texts', () => {
  it.each<[string, string[], string]>([
    ['one two three', ['two'], 'one '],
    ['one two three', ['three', 'two'], 'one '],
    ['one two three', ['four'], 'one two three'],
    ['one', ['one'], ''],
    ['aaab', ['aab'], 'a'],
    ['abc', ['b', 'abc'], ''],
    ['one', [], 'one'],
  ])('default: O1 %j with the stops %j is %j', (text, stops, shown) => {
    expect(cutAtStop(text, stops).text).toBe(shown)
  })

  it('behavior: O1 a stream shows what the whole answer shows, and never a letter past a stop', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 })
    const stops = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 }), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 6 }), stops, (pieces, wanted) => {
        const cutter = makeStopCutter(wanted)
        const whole = pieces.join('')
        const expected = plainly(whole, wanted)
        let shown = ''
        for (const piece of pieces) {
          shown += cutter.push(piece)
          expect(expected.startsWith(shown)).toBe(true)
        }
        expect(shown + cutter.end()).toBe(expected)
        expect(cutter.isCut()).toBe(expected !== whole)
      }),
      { numRuns: 2_000 },
    )
  })

  it('behavior: O1 long stops of one letter take time in proportion to the text', () => {
    const before = performance.now()
    // A search that begins again at each letter would compare 80,000 million of them.
    expect(cutAtStop('a'.repeat(400_000), [`${'a'.repeat(200_000)}b`]).isCut).toBe(false)
    expect(performance.now() - before).toBeLessThan(3_000)
  })
})
