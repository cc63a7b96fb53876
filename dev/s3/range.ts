import { S3Error } from './s3-error.ts'

export interface ByteRange {
  start: number
  /** Inclusive. */
  end: number
}

/**
 * The bytes that a `Range` header requests of `size` bytes: `bytes=0-99`, `bytes=100-` or `bytes=-100`. Null when the whole object is
 * to be sent (no header, several ranges, another unit). Throws 416 for a range that starts after the end.
 *
 * @example
 * parseRange('bytes=-2', 10) // { start: 8, end: 9 }
 */
export function parseRange(header: string | undefined, size: number): ByteRange | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  const [, first = '', last = ''] = match ?? []
  if (first === '' && last === '') return null
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start > end) {
    throw new S3Error(416, 'InvalidRange', 'The range is not satisfiable', { 'content-range': `bytes */${size}` })
  }
  return { start, end }
}
