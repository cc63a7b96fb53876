import { expect, test } from 'vitest'
import { countLines, missingEndings } from './run-tests.ts'

test('default: histories are counted by their ending', () => {
  const counts = countLines('running\nfinalized and claimed\nrunning\ncancelled and refunded\n')
  expect([...counts]).toEqual([
    ['running', 2],
    ['finalized and claimed', 1],
    ['cancelled and refunded', 1],
  ])
  expect(missingEndings(counts)).toEqual([])
})

test('error: an ending that no history came to is missing', () => {
  expect(missingEndings(countLines('running\nfinalized\ncancelled and refunded\n'))).toEqual(['finalized and claimed'])
  expect(missingEndings(countLines(''))).toEqual(['finalized and claimed', 'cancelled and refunded'])
})
