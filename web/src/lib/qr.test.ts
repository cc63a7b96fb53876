import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { qrCode } from './qr.ts'

// Each of these codes was read back by a published decoder when this test was written.
const CODES: [text: string, size: number, digest: string][] = [
  ['0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A', 29, '58e8a4200bee0067'],
  ['https://coinslot.example/?model=black-forest-labs%2Fflux-schnell&prompt=a+red+bicycle', 37, 'b51f1bf303c796aa'],
  ['é'.repeat(150), 61, '9e7fac5d425ddcb2'],
]

const digestOf = (rows: boolean[][]): string =>
  createHash('sha256')
    .update(rows.map((row) => row.map(Number).join('')).join('\n'))
    .digest('hex')
    .slice(0, 16)

it.each(CODES)('default: the code of %s has %i modules a side', (text, size, digest) => {
  const rows = qrCode(text)
  expect([rows.length, digestOf(rows)]).toEqual([size, digest])
})

it('behavior: a longer text takes a larger code, up to version 40', () => {
  const sizes = [10, 100, 1000, 2900].map((length) => qrCode('x'.repeat(length)).length)
  expect(sizes).toEqual([21, 37, 105, 177])
})

it('error: a text that no code can hold is refused', () => {
  expect(() => qrCode('x'.repeat(3000))).toThrow(RangeError)
})
