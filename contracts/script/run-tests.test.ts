import { expect, test } from 'vitest'
import { countLines, missingEndings } from './run-tests.ts'

test('default: histories are counted by their ending', () => {
  const counts = countLines(
    'running\nfinalized and claimed\nspent by a new operator\nrunning\ncancelled and refunded\n',
  )
  expect([...counts]).toEqual([
    ['running', 2],
    ['finalized and claimed', 1],
    ['spent by a new operator', 1],
    ['cancelled and refunded', 1],
  ])
  expect(missingEndings(counts)).toEqual([])
})

test('error: an ending that no history came to is missing', () => {
  const found = 'running\nfinalized\ncancelled and refunded\nspent by a new operator\n'
  expect(missingEndings(countLines(found))).toEqual(['finalized and claimed'])
  expect(missingEndings(countLines(''))).toHaveLength(3)
})
