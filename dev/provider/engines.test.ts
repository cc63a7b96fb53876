import { createHash } from 'node:crypto'
import { loadImage } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import { compose } from '../engines/music.ts'
import { paint } from '../engines/picture.ts'
import type { EngineResult } from '../engines/result.ts'
import { speak } from '../engines/speech.ts'
import { write } from '../engines/text.ts'

const bytes = (result: EngineResult): Buffer => Buffer.from(result.files[0]?.bytes ?? [])
const digest = (result: EngineResult): string => createHash('sha256').update(bytes(result)).digest('hex')

/** Seconds and channels of a 16-bit WAV, from its header. */
function wavFacts(file: Buffer): { seconds: number; channels: number; rate: number } {
  expect([file.toString('latin1', 0, 4), file.toString('latin1', 8, 12)]).toEqual(['RIFF', 'WAVE'])
  const [channels, rate] = [file.readUInt16LE(22), file.readUInt32LE(24)]
  return { channels, rate, seconds: (file.length - 44) / 2 / channels / rate }
}

/** Loudest sample, from 0 to 1. */
function peak(file: Buffer): number {
  let loudest = 0
  for (let offset = 44; offset + 1 < file.length; offset += 2)
    loudest = Math.max(loudest, Math.abs(file.readInt16LE(offset)))
  return loudest / 32_768
}

describe('pictures', () => {
  it.each([
    [{}, 1024, 1024, 'image/webp'],
    [{ aspect_ratio: '16:9', output_format: 'png' }, 1366, 768, 'image/png'],
    [{ aspect_ratio: '9:21', output_format: 'jpg' }, 670, 1536, 'image/jpeg'],
    [{ megapixels: '0.25' }, 768, 768, 'image/webp'],
    [{ width: 512, height: 700 }, 512, 700, 'image/webp'],
  ])('default: %j is a picture of %i x %i', async (input, width, height, contentType) => {
    const result = paint('a red bicycle', input, 1)
    expect(result.files[0]?.contentType).toBe(contentType)
    const image = await loadImage(bytes(result))
    expect([image.width, image.height]).toEqual([width, height])
  })

  it('behavior: the same prompt and seed return the same bytes, another one does not', () => {
    const small = { width: 512, height: 512 }
    const first = digest(paint('a lighthouse at sunset', small, 5))
    expect(digest(paint('a lighthouse at sunset', small, 5))).toBe(first)
    expect(digest(paint('a lighthouse at sunset', small, 6))).not.toBe(first)
    expect(digest(paint('a lighthouse at night', small, 5))).not.toBe(first)
  })

  it('behavior: the log names the scene, and an unknown prompt gets none', () => {
    const small = { width: 512, height: 512, num_outputs: 2 }
    const result = paint('a red bicycle by the sea on a sunny day', small, 5)
    expect(result.files).toHaveLength(2)
    expect(result.logs).toContain('Scene 1: sea, day, bicycle')
    expect(paint('quantum bureaucracy', small, 5).logs.at(-1)).toMatch(/ribbons/)
  })
})

describe('sounds', () => {
  it('default: speech is a WAV of 16 kHz that lasts over a second and is not silent', async () => {
    const file = bytes(await speak('The ferry to the island leaves in ten minutes.', {}))
    expect(wavFacts(file)).toMatchObject({ channels: 1, rate: 16_000 })
    expect(wavFacts(file).seconds).toBeGreaterThan(2)
    expect(peak(file)).toBeGreaterThan(0.2)
  })

  it.each(['Go', '-voice rms', '自転車', '[laughs]', '🚲'])(
    'behavior: %j is still speech of over a second',
    async (text) => {
      expect(wavFacts(bytes(await speak(text, {}))).seconds).toBeGreaterThan(1)
    },
  )

  it('behavior: the speed changes the length, and another voice the sound', async () => {
    const text = 'Please keep your ticket until the end of the journey.'
    const seconds = async (speed: number) => wavFacts(bytes(await speak(text, { speed }))).seconds
    expect((await seconds(0.5)) / (await seconds(2))).toBeCloseTo(4, 0)
    expect(digest(await speak(text, { voice: 'bm_george' }))).not.toBe(digest(await speak(text, { voice: 'af_bella' })))
  })

  it('default: music is 44.1 kHz stereo, exactly as long as asked, loud enough and repeatable', () => {
    const file = compose('calm piano', { duration: 3 }, 9)
    expect(wavFacts(bytes(file))).toEqual({ channels: 2, rate: 44_100, seconds: 3 })
    expect(peak(bytes(file))).toBeGreaterThan(0.5)
    expect(digest(compose('calm piano', { duration: 3 }, 9))).toBe(digest(file))
    expect(digest(compose('fast techno', { duration: 3 }, 9))).not.toBe(digest(file))
    expect(wavFacts(bytes(compose('a chime', { duration: 1 }, 9))).seconds).toBeGreaterThan(1)
  })
})

describe('texts', () => {
  it.each([
    ['Explain in two sentences why the sea looks blue.', ['sea', 'blue']],
    ['Write the opening of a story about a lighthouse keeper.', ['lighthouse', 'keeper']],
    ['A poem about winter bread', ['winter', 'bread']],
    ['Give me five names for a bakery in a harbour town.', ['bakery', 'harbour']],
    ['Explique pourquoi les marées montent', ['marées', 'montent']],
  ])('default: %j returns 20 words or more, with words of the prompt', (prompt, wanted) => {
    const text = write(prompt, { max_tokens: 512 }, 3).pieces.join('')
    expect(text.split(/\s+/).length).toBeGreaterThanOrEqual(20)
    for (const word of wanted) expect(text.toLowerCase()).toContain(word)
    expect(text).toContain('not a language model')
  })

  it('behavior: a summary has the sentences with the most frequent words of the text', () => {
    const text =
      'Tides come from the pull of the moon. The moon pulls the sea towards it. My aunt likes tea. The pull of the moon raises the sea twice a day.'
    const summary = write(`Summarise: ${text}`, {}, 3).pieces.join('')
    expect(summary).toContain('pull of the moon')
    expect(summary).not.toContain('My aunt')
  })
})
