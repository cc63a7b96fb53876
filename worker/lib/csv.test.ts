import { expect, it } from 'vitest'
import { csvLine } from '../domain/purchase/views/payments-csv.ts'

it('default: cells are joined by commas and the line ends with CRLF', () => {
  expect(csvLine(['a', 12, null, '0.010000'])).toBe('a,12,,0.010000\r\n')
})

it.each([
  ['a,b', '"a,b"'],
  ['a "b"', '"a ""b"""'],
  ['a\nb', '"a\nb"'],
  ['a\r\nb', '"a\r\nb"'],
  [' a ', ' a '],
  ['日本, é', '"日本, é"'],
])('behavior: %j is quoted as RFC 4180 says', (text, written) => {
  expect(csvLine([text])).toBe(`${written}\r\n`)
})

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '|cmd', '＝1+1'])(
  'error: %j does not run as a formula in a spreadsheet',
  (text) => {
    expect(csvLine([text]).replace(/^"/, '')).toMatch(/^'/)
  },
)

it('behavior: a number below zero stays a number', () => {
  expect(csvLine([-1])).toBe('-1\r\n')
})
