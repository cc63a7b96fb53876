import { describe, expect, it } from 'vitest'
import { collectOutput, textPieces } from './output.ts'

const URL1 = 'https://files.example/1.webp'
const URL2 = 'https://files.example/2.webp'

describe('collectOutput', () => {
  it.each([
    ['one URL', URL1, [URL1]],
    ['a list', [URL1, URL2], [URL1, URL2]],
    ['an object', { audio: URL1, seed: 4 }, [URL1]],
    ['any depth, in order', { b: [{ x: URL2 }], a: URL1 }, [URL2, URL1]],
    ['a file in its own address', ['data:image/png;base64,AAAA'], ['data:image/png;base64,AAAA']],
    ['words beside it', { lyrics: 'la la', audio: URL1 }, [URL1]],
  ])('default: files from %s', (_shape, output, urls) => {
    expect(collectOutput('image', output)).toEqual({ kind: 'files', urls })
  })

  it.each([
    ['a text', 'a word', 'a word'],
    ['pieces', ['a', ' ', 'word'], 'a word'],
    ['an object', { text: 'a word' }, 'a word'],
    ['a number', 17, '17'],
  ])('default: text from %s', (_shape, output, text) => {
    expect(collectOutput('text', output)).toEqual({ kind: 'text', text })
  })

  it('behavior: what the database cannot keep leaves the text', () => {
    expect(collectOutput('text', ['a\u0000b', '\ud83d', '\ude00', '\ud83d'])).toEqual({
      kind: 'text',
      text: 'ab😀\ufffd',
    })
  })

  it('behavior: at most 10 files', () => {
    const output = Array.from({ length: 12 }, (_, index) => `${URL1}?${index}`)
    expect(collectOutput('audio', output)).toEqual({ kind: 'files', urls: output.slice(0, 10) })
  })

  it.each([null, undefined, [], {}, 'a word', 'file:///etc/passwd', { a: null }])('error: no files in %j', (output) => {
    expect(collectOutput('image', output)).toEqual({ kind: 'none' })
  })

  it.each([null, undefined, [], {}, '', [''], ['', ''], ['\u0000'], { text: '' }])(
    'error: D4 no text in %j',
    (output) => {
      expect(collectOutput('text', output)).toEqual({ kind: 'none' })
    },
  )

  it('error: output nested too deep is refused', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}"x"${']'.repeat(50_000)}`)
    expect(collectOutput('text', deep)).toEqual({ kind: 'none' })
  })
})

describe('textPieces', () => {
  it('default: what came since the last look', () => {
    expect(textPieces(null, ['a'])).toBe('a')
    expect(textPieces(['a'], ['a', 'b', 'c'])).toBe('bc')
    expect(textPieces('ab', 'abc')).toBe('c')
    expect(textPieces(['a'], ['a'])).toBe('')
  })

  it('behavior: a character cut in two comes whole, with its second half', () => {
    expect(textPieces(null, ['a', '\ud83d'])).toBe('a')
    expect(textPieces(['a', '\ud83d'], ['a', '\ud83d', '\ude00'])).toBe('😀')
  })

  it('behavior: nothing is repeated when the output was replaced or removed', () => {
    expect(textPieces(['abc'], ['xyz'])).toBe('')
    expect(textPieces(['abc'], null)).toBe('')
  })
})
