import type { Canvas } from '@napi-rs/canvas'
import { createCanvas } from '@napi-rs/canvas'
import { between, type Random } from '../random.ts'
import { css, darker, mix } from './colour.ts'
import { finish, fog, precipitation } from './finish.ts'
import type { Frame } from './frame.ts'
import { atDistance, drawDunes, drawForest, drawHeadlands, drawHills, drawMountains, groundColour } from './land.ts'
import { createPen } from './pen.ts'
import { drawCity, drawRibbons, drawShore, drawSpace, drawWater } from './places.ts'
import type { Plan } from './plan.ts'
import { drawMeadow } from './plants.ts'
import { drawSky } from './sky.ts'
import { SUBJECTS } from './subjects.ts'

/** Draws the scene from back to front. */
export function composeScene(plan: Plan, size: { width: number; height: number }, random: Random): Canvas {
  const { width, height } = size
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const unit = Math.min(width, height) / 1000
  const horizon =
    height * (plan.setting === 'sea' ? 0.56 : plan.setting === 'city' ? 0.66 : between(random, 0.54, 0.62))
  const sun = { x: width * between(random, 0.22, 0.78), y: horizon * sunHeight(plan) }
  const frame: Frame = { context, width, height, unit, horizon, sun }
  if (plan.setting !== 'ribbons' && plan.setting !== 'space') drawSky(frame, plan, random)
  backdrop(frame, plan, random)
  if (plan.weather === 'fog') fog(frame, plan.light, 0.8)
  placeSubjects(frame, plan, random)
  if (plan.weather === 'fog') fog(frame, plan.light, 0.3)
  if (plan.weather === 'rain' || plan.weather === 'snow') precipitation(frame, plan.weather, random)
  finish(frame, random)
  return canvas
}

function sunHeight({ light }: Plan): number {
  return { day: 0.24, dawn: 0.72, sunset: 0.84, night: 0.26, storm: 0.3 }[light.name]
}

function backdrop(frame: Frame, plan: Plan, random: Random): void {
  switch (plan.setting) {
    case 'mountains':
      drawMountains(frame, plan, random, 3)
      if (plan.water) drawWater(frame, plan, random)
      else drawHills(frame, plan, random, 3)
      break
    case 'sea':
      drawHeadlands(frame, plan, random)
      drawWater(frame, plan, random)
      if (plan.subjects.some(({ name }) => placeOf(name) === 'ground')) drawShore(frame, plan, frame.height * 0.83)
      break
    case 'forest':
      drawForest(frame, plan, random)
      break
    case 'desert':
      drawDunes(frame, plan, random)
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
    case 'meadow':
    case 'hills':
      drawHills(frame, plan, random, 5)
      break
  }
  if (plan.water && plan.setting === 'mountains') return
  if (plan.season === 'winter' || !['meadow', 'hills', 'mountains', 'forest'].includes(plan.setting)) return
  const grass = atDistance(groundColour(plan), plan, 0.04)
  const dim = (colour: Parameters<typeof mix>[0]) => mix(colour, plan.light.shade, plan.light.dimness * 0.7)
  const top = frame.horizon + (frame.height - frame.horizon) * 0.58
  const flowers = plan.setting === 'meadow' ? 0.3 : 0.04
  drawMeadow(frame.context, { ...frame, top }, { grass, dim, flowers, petals: plan.colours }, random)
}

function placeOf(name: string): string | undefined {
  return SUBJECTS.find((subject) => subject.name === name)?.place
}

/** The first subject large and off the middle, further ones smaller beside it; each with its shadow. */
function placeSubjects(frame: Frame, plan: Plan, random: Random): void {
  const { context, width, height, unit, horizon } = frame
  const first = plan.subjects.length > 1 ? 0.36 : between(random, 0.44, 0.56)
  const columns = [first, 0.72, 0.14]
  for (const [index, { name, colour }] of plan.subjects.entries()) {
    const subject = SUBJECTS.find((known) => known.name === name)
    if (!subject) continue
    const size = subject.size * unit * (index === 0 ? 1.18 : 0.78)
    const x = width * (columns[index] ?? 0.5)
    const rows = {
      sky: horizon * 0.88,
      water: horizon + (height - horizon) * 0.34,
      ground: height * (0.9 - index * 0.03),
    }
    const y = plan.setting === 'space' ? height * (0.72 - index * 0.1) : rows[subject.place]
    if (subject.place === 'ground' && plan.setting !== 'space') shadow(frame, plan, x, y, size)
    context.save()
    context.translate(x, y)
    context.scale(size, size)
    subject.draw(createPen(context, plan.light, random, colour))
    context.restore()
  }
}

function shadow({ context, sun, width }: Frame, { light }: Plan, x: number, y: number, size: number): void {
  const away = Math.max(-1, Math.min(1, (x - sun.x) / (width * 0.5)))
  context.save()
  context.translate(x + away * size * 0.25, y + size * 0.01)
  context.scale(1, 0.16)
  const dark = context.createRadialGradient(0, 0, 0, 0, 0, size * 0.72)
  dark.addColorStop(0, css(darker(light.shade, 0.4), 0.5))
  dark.addColorStop(0.6, css(darker(light.shade, 0.4), 0.28))
  dark.addColorStop(1, css(light.shade, 0))
  context.fillStyle = dark
  context.fillRect(-size, -size, size * 2, size * 2)
  context.restore()
}
