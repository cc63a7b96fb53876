import { describe, expect, it } from 'vitest'
import { extensionsOf, sniff } from './media-type.ts'

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))

describe('sniff', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'image/png', 'png'],
    ['\xff\xd8\xff\xe0\0\x10JFIF', 'image/jpeg', 'jpg'],
    ['RIFF\x24\0\0\0WEBPVP8 ', 'image/webp', 'webp'],
    ['GIF87a', 'image/gif', 'gif'],
    ['GIF89a', 'image/gif', 'gif'],
    ['ID3\x04\0\0\0\0\0\0', 'audio/mpeg', 'mp3'],
    ['\xff\xfb\x90\x64', 'audio/mpeg', 'mp3'],
    ['\xff\xf3\x40\xc0', 'audio/mpeg', 'mp3'],
    ['RIFF\x24\0\0\0WAVEfmt ', 'audio/wav', 'wav'],
    ['OggS\0\x02', 'audio/ogg', 'ogg'],
    ['fLaC\0\0\0\x22', 'audio/flac', 'flac'],
    ['\0\0\0\x20ftypM4A \0\0\0\0', 'audio/mp4', 'm4a'],
    ['\0\0\0\x20ftypisom\0\0\x02\0', 'audio/mp4', 'm4a'],
  ])('default: %j is %s', (start, mime, extension) => {
    expect(sniff(bytes(start))).toEqual({ mime, extension })
    const isImage = mime.startsWith('image/')
    expect(extensionsOf('image').includes(extension)).toBe(isImage)
    expect(extensionsOf('audio').includes(extension)).toBe(!isImage)
  })

  it.each([
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    '<?xml version="1.0"?><svg/>',
    '<!doctype html>',
    '%PDF-1.7',
    'PK\x03\x04',
    'MZ\x90\0',
    'RIFF\x24\0\0\0AVI LIST',
    '\0\0\0\x20ftypavif\0\0\0\0',
    '\xff\xff\xff\xff',
    '\xff\xf1\x50\x80',
    '\x89PNG',
    'RIFF',
    ' \x89PNG\r\n\x1a\n',
    '',
  ])('error: %j is nothing that is kept', (start) => {
    expect(sniff(bytes(start))).toBeNull()
  })
})
