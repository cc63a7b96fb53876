import { between, type Random } from '../random.ts'
import { type Colour, css, darker, hex, lighter, mix } from './colour.ts'
import type { Frame } from './frame.ts'
import type { Plan } from './plan.ts'
import { drawPine, drawTree } from './plants.ts'

const GROUND: Record<Plan['season'], Colour> = {
  summer: hex('#5d9a52'),
  autumn: hex('#c07a37'),
  winter: hex('#e3ecf2'),
}
const LEAVES: Record<Plan['season'], Colour> = {
  summer: hex('#3f8352'),
  autumn: hex('#d9692b'),
  winter: hex('#6f8f93'),
}
const NEEDLES = hex('#2f6b57')
const SAND = hex('#e3bf86')

/** How ground of that colour looks at a distance (0 near, 1 at the horizon) in this light. */
export function atDistance(ground: Colour, { light }: Plan, distance: number): Colour {
  return mix(mix(ground, light.shade, light.dimness), light.haze, distance * 0.78)
}

export const groundColour = (plan: Plan): Colour => (plan.setting === 'desert' ? SAND : GROUND[plan.season])
export const leafColour = (plan: Plan): Colour => LEAVES[plan.season]

type Ridge = (x: number) => number

/** A smooth line of waves around `base`, in pixels from the top. */
function wavyRidge(random: Random, base: number, swing: number, width: number): Ridge {
  const waves = [1, 2.3, 4.1].map((pace) => ({ pace, shift: random() * 7, size: swing / pace }))
  return (x) => waves.reduce((y, { pace, shift, size }) => y - size * Math.sin((x / width) * pace * 3.4 + shift), base)
}

/** A jagged line of peaks, by halving and shifting. */
function peakRidge(random: Random, base: number, swing: number, width: number): Ridge {
  let points = [0, 1, 0.2, 0.85, 0].map((share) => base - swing * share * between(random, 0.55, 1))
  for (let shift = swing * 0.3; points.length < 250; shift *= 0.52) {
    points = points.flatMap((point, index) => {
      const next = points[index + 1]
      return next === undefined ? [point] : [point, (point + next) / 2 + between(random, -shift, shift)]
    })
  }
  return (x) => points[Math.max(0, Math.min(points.length - 1, Math.round((x / width) * (points.length - 1))))] ?? base
}

function fillBelow({ context, width, height }: Frame, ridge: Ridge, top: Colour, bottom: Colour, depth: number): void {
  const step = Math.max(1, width / 400)
  let highest = height
  context.beginPath()
  context.moveTo(0, height)
  for (let x = 0; x <= width + step; x += step) {
    const y = ridge(x)
    highest = Math.min(highest, y)
    context.lineTo(x, y)
  }
  context.lineTo(width + step, height)
  const gradient = context.createLinearGradient(0, highest, 0, highest + depth)
  gradient.addColorStop(0, css(top))
  gradient.addColorStop(1, css(bottom))
  context.fillStyle = gradient
  context.fill()
}

/** Ranges with a lit and a shaded side and snow where it is cold enough. */
export function drawMountains(frame: Frame, plan: Plan, random: Random, layers: number): void {
  const { width, horizon, height, sun } = frame
  const rock = mix(hex('#5b6b86'), groundColour(plan), plan.season === 'winter' ? 0.25 : 0.12)
  for (let layer = 0; layer < layers; layer += 1) {
    const near = (layer + 1) / layers
    const swing = height * (0.4 - 0.13 * layer)
    const ridge = peakRidge(random, horizon + height * 0.03 * layer, swing, width)
    const colour = atDistance(rock, plan, 1 - near * 0.8)
    fillBelow(frame, ridge, colour, mix(colour, plan.light.haze, 0.55), swing * 1.1)
    shadeRidge(frame, ridge, colour, {
      floor: horizon,
      snowline: horizon - swing * 0.4,
      lit: sun.x < width / 2 ? 1 : -1,
    })
  }
}

/** Slopes towards the light are paler, the others darker, and snow lies in tongues below the peaks. */
function shadeRidge(
  { context, width }: Frame,
  ridge: Ridge,
  colour: Colour,
  { floor, snowline, lit }: { floor: number; snowline: number; lit: 1 | -1 },
): void {
  const step = Math.max(1, width / 700)
  const tongue = (x: number): number => 0.5 + 0.3 * Math.sin(x / (11 * step)) + 0.2 * Math.sin(x / (4.3 * step))
  for (let x = 0; x < width; x += step) {
    const y = ridge(x)
    if (y >= floor) continue
    const slope = (ridge(x + step * 16) - ridge(x - step * 16)) * lit
    context.fillStyle = css(slope > 0 ? lighter(colour, 0.18) : darker(colour, 0.2), 0.42)
    context.fillRect(x, y, step + 0.5, (floor - y) * (0.5 + 0.3 * tongue(x)))
    if (y >= snowline) continue
    context.fillStyle = css(lighter(colour, slope > 0 ? 0.82 : 0.5), 0.94)
    context.fillRect(x, y, step + 0.5, (snowline - y) * (0.35 + 0.75 * tongue(x)) + 3 * step)
  }
}

/** Rolling layers, hazy far away and rich near by, with trees on the ridges. */
export function drawHills(frame: Frame, plan: Plan, random: Random, layers: number, trees = true): void {
  const { width, height, horizon, unit } = frame
  for (let layer = 0; layer < layers; layer += 1) {
    const near = layer / Math.max(1, layers - 1)
    const base = horizon + (height - horizon) * (near * 0.62 - 0.05)
    const ridge = wavyRidge(random, base, height * (0.045 + 0.025 * near), width)
    const colour = atDistance(groundColour(plan), plan, (1 - near) ** 1.4)
    const size = (26 + 90 * near) * unit
    for (let index = 0; trees && near < 0.9 && index < 9; index += 1) {
      const x = random() * width
      const leaf = atDistance(leafColour(plan), plan, (1 - near) ** 1.3)
      const needle = atDistance(NEEDLES, plan, (1 - near) ** 1.3)
      const scale = size * between(random, 0.7, 1.3)
      if (random() < 0.4) drawPine(frame.context, x, ridge(x) + size * 0.1, scale * 1.25, needle)
      else drawTree(frame.context, x, ridge(x) + size * 0.1, scale, leaf, random)
    }
    fillBelow(frame, ridge, lighter(colour, 0.1), darker(colour, 0.22), height * 0.35)
  }
}

/** Low hills that run out into the water from one side, paler the farther they are. */
export function drawHeadlands(frame: Frame, plan: Plan, random: Random): void {
  const { width, height, horizon, sun } = frame
  const side = sun.x < width / 2 ? 1 : -1
  for (let layer = 0; layer < 3; layer += 1) {
    const reach = width * (0.75 - layer * 0.2) * between(random, 0.8, 1.1)
    const swing = height * between(random, 0.05, 0.1) * (1 + layer * 0.25)
    const wave = wavyRidge(random, 0, swing * 0.35, width)
    const ridge: Ridge = (x) => {
      const along = Math.min(1, (side === 1 ? width - x : x) / reach)
      return horizon + 2 - swing * Math.max(0, Math.cos((along * Math.PI) / 2)) ** 0.8 + wave(x) * (1 - along) * 0.6
    }
    const colour = atDistance(groundColour(plan), plan, 0.85 - layer * 0.24)
    fillBelow({ ...frame, height: horizon }, ridge, lighter(colour, 0.08), darker(colour, 0.12), swing)
  }
}

export function drawDunes(frame: Frame, plan: Plan, random: Random): void {
  const { width, height, horizon } = frame
  for (let layer = 0; layer < 5; layer += 1) {
    const near = layer / 4
    const ridge = wavyRidge(
      random,
      horizon + (height - horizon) * near * 0.7,
      height * (0.03 + 0.05 * near),
      width * 1.3,
    )
    const colour = atDistance(SAND, plan, 0.6 * (1 - near) ** 1.3)
    fillBelow(frame, ridge, lighter(colour, 0.22), darker(colour, 0.24), height * (0.14 + 0.2 * near))
  }
}

/** Trunks and crowns in rows, misty behind and dark in front, with a clearing in the middle. */
export function drawForest(frame: Frame, plan: Plan, random: Random): void {
  const { context, width, height, horizon, unit } = frame
  for (let row = 0; row < 5; row += 1) {
    const near = row / 4
    const floor = horizon + (height - horizon) * (near * 0.5)
    const leaf = atDistance(leafColour(plan), plan, (1 - near) ** 1.1)
    const needle = atDistance(NEEDLES, plan, (1 - near) ** 1.1)
    for (let index = 0; index < 16 - row * 2; index += 1) {
      const x = random() * width
      const away = Math.abs(x / width - 0.5) * 2
      if (near > 0.4 && away < 0.3 + near * 0.35) continue
      const size = between(random, 190, 300) * unit * (0.75 + near * 1.1)
      const isPine = plan.season !== 'autumn' || random() < 0.25
      const tone = mix(isPine ? needle : leaf, isPine ? NEEDLES : leafColour(plan), random() * 0.25)
      if (isPine) drawPine(context, x, floor + 12 * unit, size * 1.1, tone)
      else drawTree(context, x, floor + 12 * unit, size * 0.8, tone, random)
    }
    const ground = atDistance(mix(groundColour(plan), leafColour(plan), 0.35), plan, (1 - near) ** 1.2)
    fillBelow(
      frame,
      wavyRidge(random, floor, 10 * unit, width),
      lighter(ground, 0.12),
      darker(ground, 0.18),
      height * 0.3,
    )
  }
}
