/** A 16-bit WAV file of the channels. Samples are from -1 to 1. */
export function encodeWav(channels: readonly Float32Array[], sampleRate: number): Uint8Array {
  const frames = channels[0]?.length ?? 0
  const blockSize = channels.length * 2
  const file = Buffer.alloc(44 + frames * blockSize)
  file.write('RIFF', 0)
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(channels.length, 22)
  file.writeUInt32LE(sampleRate, 24)
  file.writeUInt32LE(sampleRate * blockSize, 28)
  file.writeUInt16LE(blockSize, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(frames * blockSize, 40)
  for (const [channel, samples] of channels.entries()) {
    for (const [frame, sample] of samples.entries()) {
      const level = Math.round(Math.max(-1, Math.min(1, sample)) * 32_767)
      file.writeInt16LE(level, 44 + frame * blockSize + channel * 2)
    }
  }
  return file
}

/** Appends silence until a 16-bit WAV with a 44-byte header lasts at least that long. */
export function lengthenWav(file: Buffer, seconds: number): Buffer {
  const bytesPerSecond = file.readUInt32LE(28)
  const missing = 44 + 2 * Math.ceil((seconds * bytesPerSecond) / 2) - file.length
  if (missing <= 0) return file
  const longer = Buffer.concat([file, Buffer.alloc(missing)])
  longer.writeUInt32LE(longer.length - 8, 4)
  longer.writeUInt32LE(longer.length - 44, 40)
  return longer
}
