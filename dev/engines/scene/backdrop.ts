import { between, pick, type Random } from '../random.ts'
import { type Colour, css, darker, hex, lighter, mix } from './colour.ts'
import { atDistance, type Frame } from './frame.ts'
import type { Plan } from './plan.ts'

const WALLS: readonly [Colour, ...Colour[]] = [hex('#8797ad'), hex('#a98a86'), hex('#b3a08a')]
const GROUND: Record<Plan['season'], Colour> = {
  summer: hex('#5d9a52'),
  autumn: hex('#c07a37'),
  winter: hex('#e3ecf2'),
}

/** Draws everything behind the subjects. */
export function drawBackdrop(frame: Frame, plan: Plan, random: Random): void {
  const layers = (options: Layers): void => drawLayers(frame, plan, random, options)
  const ground = GROUND[plan.season]
  if (plan.setting !== 'space' && plan.setting !== 'ribbons') drawSky(frame, plan, random)
  switch (plan.setting) {
    case 'sea':
      layers({ colour: ground, count: 2, from: -0.03, to: 0, swing: 0.05 })
      drawWater(frame, plan, random)
      break
    case 'mountains':
      layers({ colour: hex('#5b6b86'), count: 3, from: -0.3, to: 0, swing: 0.16 })
      layers({ colour: ground, count: 3, from: 0.05, to: 0.6, swing: 0.04 })
      break
    case 'desert':
      layers({ colour: hex('#e3bf86'), count: 5, from: 0, to: 0.7, swing: 0.06 })
      break
    case 'hills':
      layers({ colour: ground, count: 5, from: -0.05, to: 0.6, swing: 0.06 })
      break
    case 'city':
      drawCity(frame, plan, random)
      break
    case 'space':
      drawSpace(frame, plan, random)
      break
    case 'ribbons':
      drawRibbons(frame, plan, random)
      break
  }
}

/** Sky with sun or moon, stars at night, and clouds. */
function drawSky(frame: Frame, { light }: Plan, random: Random): void {
  const { context, width, height, horizon, unit, sun } = frame
  const sky = context.createLinearGradient(0, 0, 0, horizon)
  sky.addColorStop(0, css(light.top))
  sky.addColorStop(1, css(light.horizon))
  context.fillStyle = sky
  context.fillRect(0, 0, width, height)
  if (light.name === 'night') drawStars(frame, random, 260)
  const glow = context.createRadialGradient(sun.x, sun.y, 20 * unit, sun.x, sun.y, 520 * unit)
  glow.addColorStop(0, css(light.sun, 0.6))
  glow.addColorStop(1, css(light.sun, 0))
  context.fillStyle = glow
  context.fillRect(0, 0, width, height)
  if (light.name !== 'storm') dot(frame, light.sun, sun.x, sun.y, 46 * unit)
  for (let cloud = 0; cloud < 4; cloud += 1) {
    const [x, y, size] = [random() * width, between(random, 0.1, 0.7) * horizon, between(random, 40, 90) * unit]
    for (let puff = -2; puff <= 2; puff += 1)
      dot(frame, light.cloud, x + puff * size * 0.8, y, size * (1 - Math.abs(puff) * 0.3), 0.5, 0.5)
  }
}

function dot({ context }: Frame, colour: Colour, x: number, y: number, radius: number, alpha = 1, flat = 1): void {
  context.fillStyle = css(colour, alpha)
  context.beginPath()
  context.ellipse(x, y, radius, radius * flat, 0, 0, 2 * Math.PI)
  context.fill()
}

function drawStars(frame: Frame, random: Random, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const bright = random() ** 3
    const [x, y] = [random() * frame.width, random() * frame.horizon]
    dot(frame, hex('#fffaeb'), x, y, (0.6 + 1.6 * bright) * frame.unit, 0.25 + 0.75 * bright)
  }
}

interface Layers {
  colour: Colour
  count: number
  /** Where the first and the last layer begin: 0 is the horizon, 1 the lower edge, -1 the upper edge. */
  from: number
  to: number
  /** Height of the waves, as a share of the picture. */
  swing: number
}

/** Wavy layers of land, pale at the horizon and darker near by. */
function drawLayers(frame: Frame, { light }: Plan, random: Random, { colour, count, from, to, swing }: Layers): void {
  const { context, width, height, horizon } = frame
  for (let layer = 0; layer < count; layer += 1) {
    const near = layer / Math.max(1, count - 1)
    const offset = from + (to - from) * near
    const base = horizon + offset * (offset < 0 ? horizon : height - horizon)
    const waves = [1, 2.3, 4.1].map((pace) => ({ pace, shift: random() * 7 }))
    const tone = atDistance(colour, light, 1 - near)
    const shade = context.createLinearGradient(0, base - swing * height, 0, base + height * 0.35)
    shade.addColorStop(0, css(lighter(tone, 0.1)))
    shade.addColorStop(1, css(darker(tone, 0.25)))
    context.fillStyle = shade
    context.beginPath()
    context.moveTo(0, height)
    for (let x = 0; x <= width + 4; x += 4) {
      const wave = waves.reduce((sum, { pace, shift }) => sum + Math.sin((x / width) * pace * 3.4 + shift) / pace, 0)
      context.lineTo(x, base - wave * swing * height)
    }
    context.lineTo(width + 4, height)
    context.fill()
  }
}

/** Water from the horizon down, with waves and the reflection of the sun. */
function drawWater(frame: Frame, plan: Plan, random: Random): void {
  const { context, width, height, horizon, unit, sun } = frame
  const { light } = plan
  const tint = plan.colours.find(([red, , blue]) => blue > red) ?? mix(light.top, hex('#1f6f86'), 0.4)
  const water = context.createLinearGradient(0, horizon, 0, height)
  water.addColorStop(0, css(mix(tint, light.horizon, 0.6)))
  water.addColorStop(1, css(darker(tint, 0.35)))
  context.fillStyle = water
  context.fillRect(0, horizon, width, height - horizon)
  for (let index = 0; index < 320; index += 1) {
    const near = random() ** 1.6
    const isSun = index % 3 === 0
    const x = isSun ? sun.x + between(random, -1, 1) * (26 + 120 * near) * unit : random() * width
    const long = between(random, 16, 70) * unit * (0.3 + near)
    dot(frame, isSun ? light.sun : lighter(tint, 0.4), x, horizon + (height - horizon) * near, long, 0.25, 0.05)
  }
}

/** Rows of buildings over a street, with lit windows in the dark. */
function drawCity(frame: Frame, { light }: Plan, random: Random): void {
  const { context, width, height, horizon, unit } = frame
  const isDark = light.dimness > 0.25
  for (let row = 0; row < 3; row += 1) {
    const near = row / 2
    for (let x = -40 * unit; x < width; ) {
      const wide = between(random, 70, 140) * unit
      const top = horizon - between(random, 0.25, 0.7) * horizon * (1.05 - near * 0.45)
      const wall = atDistance(pick(random, WALLS), light, 1 - near)
      context.fillStyle = css(wall)
      context.fillRect(x, top, wide - 4 * unit, height - top)
      const step = 20 * unit
      for (let y = top + step; y < horizon + 20 * unit; y += step * 1.3) {
        for (let pane = x + step * 0.5; pane < x + wide - step; pane += step) {
          const isLit = isDark && random() < 0.45
          context.fillStyle = css(isLit ? hex('#ffd98a') : darker(wall, 0.25), 0.8)
          context.fillRect(pane, y, step * 0.5, step * 0.7)
        }
      }
      x += wide
    }
  }
  const top = horizon + (height - horizon) * 0.3
  context.fillStyle = css(atDistance(hex('#4a4f5c'), light, 0.05))
  context.fillRect(0, top, width, height - top)
}

/** Stars, clouds of colour and a planet. */
function drawSpace(frame: Frame, plan: Plan, random: Random): void {
  const { context, width, height, unit } = frame
  context.fillStyle = css(hex('#05071a'))
  context.fillRect(0, 0, width, height)
  const tones = [...plan.colours, ...['#5b3fa8', '#1f6fb0', '#c2467f'].map(hex)]
  for (let index = 0; index < 30; index += 1) {
    const [x, y, radius] = [random() * width, random() * height, between(random, 120, 300) * unit]
    const glow = context.createRadialGradient(x, y, 0, x, y, radius)
    const tone = tones[index % tones.length] ?? plan.light.top
    glow.addColorStop(0, css(tone, 0.16))
    glow.addColorStop(1, css(tone, 0))
    context.fillStyle = glow
    context.fillRect(x - radius, y - radius, radius * 2, radius * 2)
  }
  drawStars({ ...frame, horizon: height }, random, 600)
  const planet = plan.colours[0] ?? hex('#d98f5c')
  dot(frame, planet, width * 0.7, height * 0.28, 130 * unit)
  dot(frame, lighter(planet, 0.3), width * 0.7 - 25 * unit, height * 0.28 - 25 * unit, 80 * unit, 0.5)
}

/** Bands of colour, for prompts without a known word. */
function drawRibbons({ context, width, height }: Frame, plan: Plan, random: Random): void {
  const own = plan.colours.flatMap((colour) => [darker(colour, 0.35), colour, lighter(colour, 0.4)])
  const tones = own.length > 0 ? own : ['#12355b', '#1d7874', '#f4c95d', '#ee6c4d', '#f7ede2'].map(hex)
  const [pace, sway] = [between(random, 3, 7), between(random, 0.1, 0.24)]
  for (let band = -2; band < 12; band += 1) {
    context.fillStyle = css(tones[(band + 2) % tones.length] ?? plan.light.top)
    context.beginPath()
    context.moveTo(0, height)
    for (let x = 0; x <= width + 8; x += 8) {
      context.lineTo(x, height * (band * 0.09 + Math.sin((x / width) * pace + band * 0.42) * sway))
    }
    context.lineTo(width + 8, height)
    context.fill()
  }
}
