import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { zipOf } from './zip.ts'

/** Reads an archive from its end, as unpackers do. Checks sizes, signatures and each CRC. */
function unzip(file: Buffer): Map<string, Buffer> {
  const end = file.length - 22
  expect(file.readUInt32LE(end)).toBe(0x06054b50)
  const found = new Map<string, Buffer>()
  let at = file.readUInt32LE(end + 16)
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    expect(file.readUInt32LE(at)).toBe(0x02014b50)
    const [crc, size, nameSize] = [file.readUInt32LE(at + 16), file.readUInt32LE(at + 24), file.readUInt16LE(at + 28)]
    const local = file.readUInt32LE(at + 42)
    expect(file.readUInt32LE(local)).toBe(0x04034b50)
    expect(file.subarray(local + 4, local + 30)).toEqual(file.subarray(at + 6, at + 32))
    const bytes = file.subarray(local + 30 + nameSize, local + 30 + nameSize + size)
    expect(crc32(bytes)).toBe(crc)
    found.set(file.toString('utf8', at + 46, at + 46 + nameSize), bytes)
    at += 46 + nameSize
  }
  expect(at).toBe(end)
  return found
}

it('default: an archive holds its files, byte for byte', async () => {
  const text = new TextEncoder().encode('a poem — with a dash')
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256)
  const none = new Uint8Array(0)
  const archive = zipOf([
    { name: 'a.txt', bytes: text },
    { name: 'empty.txt', bytes: none },
    { name: 'b.webp', bytes },
  ])
  const found = unzip(Buffer.from(await archive.arrayBuffer()))
  expect([...found]).toEqual([
    ['a.txt', Buffer.from(text)],
    ['empty.txt', Buffer.from(none)],
    ['b.webp', Buffer.from(bytes)],
  ])
})
