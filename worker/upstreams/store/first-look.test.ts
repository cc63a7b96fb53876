import { describe, expect, it } from 'vitest'
import { FIRST_LOOK, firstLook } from './first-look.ts'

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))
const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'

/** The outcome of a look, by the row of the table that decides. */
const LOOKS: Record<string, [string, 'keep' | 'again' | 'final'][]> = {
  'no bytes': [['', 'again']],
  'a file of the kind': [
    [PNG, 'keep'],
    ['\xff\xd8\xff\xe0\0\x10JFIF', 'keep'],
    ['RIFF\x24\0\0\0WEBPVP8 ', 'keep'],
  ],
  'a picture or sound of the other kind': [
    ['ID3\x04\0\0\0\0\0\0', 'final'],
    ['RIFF\x24\0\0\0WAVEfmt ', 'final'],
  ],
  'an SVG': [['<svg xmlns="http:', 'final']],
  'a file that is neither': [
    ['%PDF-1.7\n%\xe2\xe3\xcf', 'final'],
    ['PK\x03\x04\x14\0\0\0\x08\0\0\0', 'final'],
    ['RIFF\x24\0\0\0AVI LIST', 'final'],
    ['\0\0\0\x20ftypavif\0\0\0\0', 'final'],
  ],
  'anything else': [
    ['<!doctype html><t', 'again'],
    ['\n <html><head>', 'again'],
    ['<?xml version="1', 'again'],
    ['pending', 'again'],
    ['"starting"', 'again'],
    ['{"status":"proce', 'again'],
    ['\x89PNG', 'again'],
    ['RIFF', 'again'],
    ['%PDF', 'again'],
    ['\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0', 'again'],
  ],
}

describe('the first look at an output file', () => {
  it('behavior: D1 every row of the table is tried', () => {
    expect(Object.keys(LOOKS)).toEqual(FIRST_LOOK.map(({ what }) => what))
  })

  it.each(
    FIRST_LOOK.flatMap((row) => (LOOKS[row.what] ?? []).map(([start, kind]) => [row.what, start, kind] as const)),
  )('error: D1 %s: %j is %s', (what, start, kind) => {
    expect(FIRST_LOOK.find(({ matches }) => matches(bytes(start), 'image'))?.what).toBe(what)
    expect(firstLook(bytes(start), 'image').kind).toBe(kind)
  })

  it('error: D1 a picture is final where a sound is wanted, and a sound is kept', () => {
    expect(firstLook(bytes(PNG), 'audio')).toEqual({ kind: 'final' })
    expect(firstLook(bytes('OggS\0\x02'), 'audio')).toMatchObject({ kind: 'keep', type: { mime: 'audio/ogg' } })
  })
})
