import { createCanvas } from '@napi-rs/canvas'
import { between, type Random } from '../random.ts'
import { css } from './colour.ts'
import type { Frame } from './frame.ts'
import type { Light } from './light.ts'

/** A veil over the land, densest at the horizon; `strength` from 0 to 1. */
export function fog({ context, width, height, horizon }: Frame, light: Light, strength: number): void {
  const veil = context.createLinearGradient(0, horizon * 0.5, 0, height)
  veil.addColorStop(0, css(light.horizon, 0))
  veil.addColorStop(0.35, css(light.horizon, strength))
  veil.addColorStop(1, css(light.horizon, strength * 0.12))
  context.fillStyle = veil
  context.fillRect(0, 0, width, height)
}

export function precipitation({ context, width, height, unit }: Frame, kind: 'rain' | 'snow', random: Random): void {
  for (let index = 0; index < 620; index += 1) {
    const [x, y, near] = [random() * width * 1.1, random() * height, random()]
    if (kind === 'snow') {
      context.fillStyle = `rgba(255,255,255,${0.35 + 0.55 * near})`
      context.beginPath()
      context.arc(x, y, (1 + 4.5 * near ** 3) * unit, 0, 2 * Math.PI)
      context.fill()
      continue
    }
    const long = between(random, 14, 40) * unit
    context.strokeStyle = `rgba(225,235,245,${0.1 + 0.22 * near})`
    context.lineWidth = (0.7 + near) * unit
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(x - long * 0.28, y + long)
    context.stroke()
  }
}

const GRAIN_SIZE = 256

/** A soft dark edge and fine grain, which also hides the steps of long gradients. */
export function finish({ context, width, height }: Frame, random: Random): void {
  const edge = Math.hypot(width, height) / 2
  const vignette = context.createRadialGradient(
    width / 2,
    height * 0.48,
    edge * 0.55,
    width / 2,
    height * 0.48,
    edge * 1.05,
  )
  vignette.addColorStop(0, 'rgba(10,8,30,0)')
  vignette.addColorStop(1, 'rgba(10,8,30,0.26)')
  context.fillStyle = vignette
  context.fillRect(0, 0, width, height)

  const tile = createCanvas(GRAIN_SIZE, GRAIN_SIZE)
  const tileContext = tile.getContext('2d')
  const grain = tileContext.createImageData(GRAIN_SIZE, GRAIN_SIZE)
  for (let offset = 0; offset < grain.data.length; offset += 4) {
    const level = random() < 0.5 ? 0 : 255
    grain.data.set([level, level, level, Math.floor(random() * 8)], offset)
  }
  tileContext.putImageData(grain, 0, 0)
  const pattern = context.createPattern(tile, 'repeat')
  if (pattern === null) return
  context.fillStyle = pattern
  context.fillRect(0, 0, width, height)
}
