import type { Canvas } from '@napi-rs/canvas'
import { createRandom, hashText } from './random.ts'
import type { EngineResult, MadeFile } from './result.ts'
import { composeScene } from './scene/compose.ts'
import { planScene } from './scene/plan.ts'

const SIDE = 1_024
const SHORTEST_SIDE = 512
const LONGEST_SIDE = 1_536
const MOST_PICTURES = 4

/** Draws scenes for the prompt. The same prompt, seed and size return the same picture. */
export function paint(prompt: string, input: Record<string, unknown>, seed: number): EngineResult {
  const size = sizeOf(input)
  const count = Math.min(MOST_PICTURES, Math.max(1, Number(input['num_outputs'] ?? 1) || 1))
  const files: MadeFile[] = []
  const logs = [`Using seed: ${seed}`, `${size.width} x ${size.height}`]
  for (let index = 0; index < count; index += 1) {
    const random = createRandom((seed + index) ^ hashText(prompt.trim().toLowerCase()))
    const plan = planScene(prompt, random)
    files.push(encode(composeScene(plan, size, random), input, index))
    logs.push(
      `Scene ${index + 1}: ${plan.setting}, ${plan.light.name}${plan.subjects.map(({ name }) => `, ${name}`).join('')}`,
    )
  }
  return { files, pieces: [], logs }
}

/** The size in even numbers: width and height, or about a megapixel in the aspect ratio. */
function sizeOf(input: Record<string, unknown>): { width: number; height: number } {
  const { width, height } = input
  if (typeof width === 'number' && typeof height === 'number') return { width: clamp(width), height: clamp(height) }
  const [, across = '1', down = '1'] = /^(\d+):(\d+)$/.exec(String(input['aspect_ratio'] ?? '')) ?? []
  const ratio = Number(across) / Number(down) || 1
  const side = input['megapixels'] === '0.25' ? SIDE * 0.75 : SIDE
  return { width: clamp(side * Math.sqrt(ratio)), height: clamp(side / Math.sqrt(ratio)) }
}

function clamp(length: number): number {
  return 2 * Math.round(Math.min(LONGEST_SIDE, Math.max(SHORTEST_SIDE, length)) / 2)
}

function encode(canvas: Canvas, input: Record<string, unknown>, index: number): MadeFile {
  const asked = Number(input['output_quality'] ?? 88)
  const quality = Math.min(100, Math.max(40, Number.isFinite(asked) ? asked : 88))
  switch (input['output_format']) {
    case 'png':
      return { name: `out-${index}.png`, contentType: 'image/png', bytes: canvas.toBuffer('image/png') }
    case 'jpg':
    case 'jpeg':
      return { name: `out-${index}.jpg`, contentType: 'image/jpeg', bytes: canvas.toBuffer('image/jpeg', quality) }
    default:
      return { name: `out-${index}.webp`, contentType: 'image/webp', bytes: canvas.toBuffer('image/webp', quality) }
  }
}
