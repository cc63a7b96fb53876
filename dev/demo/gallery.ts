import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { paint } from '../engines/picture.ts'
import { speak } from '../engines/speech.ts'
import { write } from '../engines/text.ts'

// `npm run generate -- gallery`: makes the examples of the first page with the product's own engines, as small files.

const PUBLIC = join(import.meta.dirname, '../../web/site/public/gallery')
const TARGET = join(import.meta.dirname, '../../web/site/src/generated/gallery.json')
const SIDE = 512
const SEED = 7
/** The price of each for a first buyer, in USDC. */
const PRICE = { picture: '0.010000', text: '0.003000', sound: '0.015000' }

const PICTURES: [file: string, prompt: string][] = [
  ['lighthouse', 'a lighthouse on a cliff at sunset, long shadows'],
  ['bicycle', 'a red bicycle leaning on a stone wall by the sea, morning light'],
  ['lake', 'a quiet lake under a full moon'],
  ['boat', 'a small wooden boat on a turquoise lagoon, seen from above'],
  ['city', 'a city at night in the rain, neon lights'],
  ['tree', 'a tree in the snow at dawn'],
]
const TEXTS = ['Write a poem about a slot machine that sells pictures.', 'Write a poem about the sea at night.']

const SPOKEN = 'Good morning. The ferry leaves in ten minutes.'

async function makePicture([file, prompt]: [string, string]) {
  const began = performance.now()
  const [made] = paint(prompt, { width: SIDE, height: SIDE, output_format: 'webp', output_quality: 45 }, SEED).files
  if (made === undefined) throw new Error('the engine made no picture')
  const seconds = (performance.now() - began) / 1000
  await writeFile(join(PUBLIC, `${file}.webp`), made.bytes)
  const model = 'black-forest-labs/flux-schnell'
  return {
    task: 'text-to-image',
    model,
    prompt,
    file: `/gallery/${file}.webp`,
    usdc: PRICE.picture,
    ...rounded(seconds),
  }
}

function makeText(prompt: string) {
  const began = performance.now()
  // A note on the engine follows the poem.
  const [text = ''] = write(prompt, {}, SEED).pieces.join('').split('\n\n(')
  const model = 'meta/meta-llama-3-8b-instruct'
  return { task: 'text-to-text', model, prompt, text, usdc: PRICE.text, ...rounded((performance.now() - began) / 1000) }
}

async function makeSound(prompt: string) {
  const began = performance.now()
  const [made] = (await speak(prompt, {})).files
  if (made === undefined) throw new Error('the engine made no sound')
  const seconds = (performance.now() - began) / 1000
  await writeFile(join(PUBLIC, 'ferry.wav'), made.bytes)
  const model = 'jaaari/kokoro-82m'
  return { task: 'text-to-sound', model, prompt, sound: '/gallery/ferry.wav', usdc: PRICE.sound, ...rounded(seconds) }
}

const rounded = (seconds: number) => ({ seconds: Math.max(0.1, Math.round(seconds * 10) / 10) })

await mkdir(PUBLIC, { recursive: true })
const pictures = []
for (const one of PICTURES) pictures.push(await makePicture(one))
const items = [...pictures, ...TEXTS.map(makeText), await makeSound(SPOKEN)]
await writeFile(TARGET, `${JSON.stringify(items, null, 2)}\n`)
