/** Bytes that pass for a WebP by their start. */
export function imageFile(bytes: number): Buffer {
  const file = Buffer.alloc(bytes, 1)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(bytes - 8, 4)
  file.write('WEBP', 8, 'latin1')
  return file
}

/** Bytes that pass for an MP3 by their start. */
export function soundFile(bytes: number): Buffer {
  const file = Buffer.alloc(bytes, 1)
  file.write('ID3', 0, 'latin1')
  return file
}
