import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { between, type Random } from '../random.ts'
import { drawBackdrop } from './backdrop.ts'
import { css, darker } from './colour.ts'
import type { Frame } from './frame.ts'
import { createPen } from './pen.ts'
import type { Plan } from './plan.ts'
import { SUBJECTS } from './subjects.ts'

/** Draws the scene from back to front. */
export function composeScene(plan: Plan, size: { width: number; height: number }, random: Random): Canvas {
  const { width, height } = size
  const canvas = createCanvas(width, height)
  const horizon = height * (plan.setting === 'city' ? 0.66 : between(random, 0.54, 0.62))
  const frame: Frame = {
    context: canvas.getContext('2d'),
    width,
    height,
    unit: Math.min(width, height) / 1000,
    horizon,
    sun: { x: width * between(random, 0.22, 0.78), y: horizon * plan.light.sunHeight },
  }
  drawBackdrop(frame, plan, random)
  placeSubjects(frame, plan, random)
  if (plan.weather !== 'clear') drawWeather(frame, plan.weather, random)
  return canvas
}

/** The first subject is large and near the middle, further ones are smaller and beside it. */
function placeSubjects(frame: Frame, plan: Plan, random: Random): void {
  const { context, width, height, unit, horizon } = frame
  const columns = [plan.subjects.length > 1 ? 0.36 : between(random, 0.44, 0.56), 0.72, 0.14]
  for (const [index, { name, colour }] of plan.subjects.entries()) {
    const subject = SUBJECTS.find((known) => known.name === name)
    if (!subject) continue
    const size = subject.size * unit * (index === 0 ? 1.18 : 0.78)
    const x = width * (columns[index] ?? 0.5)
    const y = {
      sky: horizon * 0.88,
      water: horizon + (height - horizon) * 0.34,
      ground: height * (0.9 - index * 0.03),
    }[subject.place]
    context.save()
    context.translate(x, y)
    context.scale(size, size)
    if (subject.place === 'ground') {
      context.fillStyle = css(darker(plan.light.shade, 0.4), 0.3)
      context.beginPath()
      context.ellipse(0.08, 0.02, 0.75, 0.08, 0, 0, 2 * Math.PI)
      context.fill()
    }
    subject.draw(createPen(context, plan.light, colour))
    context.restore()
  }
}

function drawWeather({ context, width, height, unit }: Frame, kind: 'rain' | 'snow', random: Random): void {
  context.strokeStyle = kind === 'rain' ? 'rgba(225,235,245,0.3)' : 'rgba(255,255,255,0.85)'
  context.lineCap = 'round'
  for (let index = 0; index < 500; index += 1) {
    const [x, y, near] = [random() * width * 1.1, random() * height, random()]
    const long = kind === 'rain' ? between(random, 14, 40) * unit : 0.1
    context.lineWidth = (kind === 'rain' ? 0.7 + near : 2 + 7 * near ** 3) * unit
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(x - long * 0.28, y + long)
    context.stroke()
  }
}
