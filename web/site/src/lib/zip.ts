/** One file of an archive. */
export interface ZipEntry {
  /** ASCII, unique in the archive. */
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

/** Source: PKWARE APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16. */
const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const VERSION = 20
/** 1 January 1980, the format's first day: the time of saving says nothing about the files. */
const DATE = 0x21

/** A ZIP archive without compression: pictures and sounds are compressed already. Below 4 GiB and 65,536 files. */
export function zipOf(entries: readonly ZipEntry[]): Blob {
  const files: BlobPart[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const { name, bytes } of entries) {
    const title = new TextEncoder().encode(name)
    const facts = [VERSION, 0, 0, 0, DATE]
    const sizes = [crc32(bytes), bytes.length, bytes.length]
    const local = record([[LOCAL, 4], ...twos(facts), ...fours(sizes), ...twos([title.length, 0])], title)
    const rest = [...twos([title.length, 0, 0, 0, 0]), ...fours([0, offset])]
    directory.push(record([[CENTRAL, 4], ...twos([VERSION, ...facts]), ...fours(sizes), ...rest], title))
    files.push(local, bytes)
    offset += local.length + bytes.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const count = entries.length
  const end = record([[END, 4], ...twos([0, 0, count, count]), ...fours([size, offset]), [0, 2]])
  return new Blob([...files, ...directory, end], { type: 'application/zip' })
}

type Field = readonly [value: number, bytes: 2 | 4]
const twos = (values: readonly number[]): Field[] => values.map((value) => [value, 2])
const fours = (values: readonly number[]): Field[] => values.map((value) => [value, 4])

/** Little-endian fields, and a name after them. */
function record(fields: readonly Field[], name = new Uint8Array(0)): Uint8Array<ArrayBuffer> {
  const length = fields.reduce((sum, [, bytes]) => sum + bytes, 0)
  const made = new Uint8Array(length + name.length)
  const view = new DataView(made.buffer)
  let at = 0
  for (const [value, bytes] of fields) {
    if (bytes === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += bytes
  }
  made.set(name, length)
  return made
}

const TABLE = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
