import { describe, expect, it } from 'vitest'
import { openDataUrl } from './open-file.ts'

const bytesOf = async (url: string): Promise<number[]> => {
  const { body, length } = openDataUrl(url)
  const bytes = [...new Uint8Array(await new Response(body).arrayBuffer())]
  expect(length).toBe(bytes.length)
  return bytes
}

describe('openDataUrl', () => {
  it.each([
    'data:image/png;base64,iVBORw==',
    'DATA:;base64,iVBORw',
    'data:text/html;charset=utf-8;BASE64,iVBORw%3D%3D',
    'data:,%89PNG',
  ])('error: D3 %s is a file, whatever type it states', async (url) => {
    expect(await bytesOf(url)).toEqual([0x89, 0x50, 0x4e, 0x47])
  })

  it('behavior: D3 letters of the URL form of base64 are read', async () => {
    expect(await bytesOf('data:;base64,-_-_')).toEqual([0xfb, 0xff, 0xbf])
  })

  it.each(['data:image/png;base64', 'data:;base64,!!!!', 'data:,\u20ac', 'https://files.example/'])(
    'error: D3 input for %j, which cannot be decoded',
    (url) => {
      expect(() => openDataUrl(url)).toThrow(expect.objectContaining({ kind: 'input' }))
    },
  )
})
