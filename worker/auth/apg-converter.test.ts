import { createRequire } from 'node:module'
import { expect, it } from 'vitest'

const require = createRequire(import.meta.url)
const theirs = require('apg-js/src/apg-conv-api/converter')
const ours = require('./apg-converter.cjs')

const outcomeOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch {
    return 'throws'
  }
}

it.each([
  '',
  'coinslot.example wants you to sign in',
  'é 日本 😀\n\r\0\u{10ffff}\uffff',
  '\ufeffwith a mark of the byte order',
  'a lone \ud800',
  '\udc00 alone too',
  '\udc00\ud800 in the wrong order',
])('behavior: %j is read and written as the whole converter does', (text) => {
  const points = outcomeOf(() => ours.decode('STRING', text))
  expect(points).toEqual(outcomeOf(() => theirs.decode('STRING', text)))
  if (!Array.isArray(points)) return
  const written: string = ours.encode('UTF16LE', points).toString('utf16le')
  expect(written).toBe(theirs.encode('UTF16LE', points).toString('utf16le'))
})
