/** Width and height of a PNG or a WebP, read from its header. Throws on anything else. */
export function imageSize(bytes: Uint8Array): { width: number; height: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ascii = (from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))
  if (ascii(1, 4) === 'PNG') return { width: view.getUint32(16), height: view.getUint32(20) }
  if (ascii(0, 4) !== 'RIFF' || ascii(8, 12) !== 'WEBP') throw new Error('neither PNG nor WebP')
  switch (ascii(12, 16)) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
    }
    default:
      return { width: 1 + (view.getUint32(24, true) & 0xffffff), height: 1 + (view.getUint32(27, true) & 0xffffff) }
  }
}

/** How long a PCM WAV lasts. Throws on anything else. */
export function wavSeconds(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ascii = (from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))
  if (ascii(0, 4) !== 'RIFF' || ascii(8, 12) !== 'WAVE') throw new Error('not a WAV')
  const bytesPerSecond = view.getUint32(28, true)
  for (let at = 12; at + 8 <= bytes.length; at += 8 + view.getUint32(at + 4, true)) {
    if (ascii(at, at + 4) === 'data')
      return Math.min(view.getUint32(at + 4, true), bytes.length - at - 8) / bytesPerSecond
  }
  throw new Error('a WAV without data')
}
