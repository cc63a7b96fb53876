import type { SKRSContext2D } from '@napi-rs/canvas'
import { between, type Random } from '../random.ts'
import { css, lighter, mix } from './colour.ts'
import type { Frame } from './frame.ts'
import type { Plan } from './plan.ts'

/** Sky with sun or moon, stars and clouds, down to the horizon. */
export function drawSky(frame: Frame, plan: Plan, random: Random): void {
  const { context, width, height, horizon, unit } = frame
  const { light } = plan
  const gradient = context.createLinearGradient(0, 0, 0, horizon * 1.02)
  gradient.addColorStop(0, css(light.top))
  gradient.addColorStop(0.55, css(light.middle))
  gradient.addColorStop(1, css(light.horizon))
  context.fillStyle = gradient
  context.fillRect(0, 0, width, height)
  if (light.name === 'night') drawStars(frame, random, plan.setting === 'mountains' ? 420 : 240)
  drawSun(frame, plan)
  if (plan.setting === 'space') return
  const count = plan.weather === 'clear' ? 3 : 7
  for (let index = 0; index < count; index += 1) {
    const y = between(random, 0.1, 0.72) * horizon
    drawCloud(
      context,
      plan,
      random,
      between(random, -0.05, 1.05) * width,
      y,
      between(random, 60, 130) * unit * (0.4 + y / horizon),
    )
  }
}

function drawSun({ context, sun, unit, width, horizon }: Frame, { light }: Plan): void {
  const size = light.name === 'night' ? 38 * unit : 52 * unit
  const glow = context.createRadialGradient(sun.x, sun.y, size * 0.5, sun.x, sun.y, 520 * unit)
  glow.addColorStop(0, css(light.sun, 0.75))
  glow.addColorStop(0.18, css(light.sun, 0.28))
  glow.addColorStop(1, css(light.sun, 0))
  context.fillStyle = glow
  context.fillRect(0, 0, width, horizon * 1.2)
  if (light.name === 'storm') return
  context.fillStyle = css(light.sun)
  context.beginPath()
  context.arc(sun.x, sun.y, size, 0, 2 * Math.PI)
  context.fill()
  if (light.name !== 'night') return
  context.fillStyle = css(mix(light.sun, light.middle, 0.22), 0.8)
  for (const [dx, dy, r] of [
    [-0.3, -0.2, 0.2],
    [0.25, 0.3, 0.26],
    [0.3, -0.35, 0.12],
  ] as const) {
    context.beginPath()
    context.arc(sun.x + dx * size, sun.y + dy * size, r * size, 0, 2 * Math.PI)
    context.fill()
  }
}

export function drawStars({ context, width, horizon, unit }: Frame, random: Random, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const bright = random() ** 3
    context.fillStyle = `rgba(255,250,235,${0.25 + 0.75 * bright})`
    context.beginPath()
    context.arc(random() * width, random() ** 1.3 * horizon, (0.6 + 1.6 * bright) * unit, 0, 2 * Math.PI)
    context.fill()
  }
}

/** A flat-bottomed heap of puffs, lit from above. */
function drawCloud(context: SKRSContext2D, { light }: Plan, random: Random, x: number, y: number, size: number): void {
  const gradient = context.createLinearGradient(0, y - size * 0.6, 0, y + size * 0.25)
  gradient.addColorStop(0, css(lighter(light.cloud, 0.15), 0.92))
  gradient.addColorStop(1, css(light.cloudShade, 0.35))
  context.save()
  context.beginPath()
  context.rect(x - size * 4, y - size * 3, size * 8, size * 3.1)
  context.clip()
  context.fillStyle = gradient
  context.beginPath()
  const puffs = 7
  for (let index = 0; index < puffs; index += 1) {
    const place = (index / (puffs - 1)) * 2 - 1
    const radius = size * (0.22 + 0.42 * (1 - place * place)) * between(random, 0.75, 1.15)
    const center = x + place * size * 1.9
    context.moveTo(center + radius * 1.5, y)
    context.ellipse(center, y, radius * 1.5, radius, 0, 0, 2 * Math.PI)
  }
  context.fill()
  context.restore()
}
