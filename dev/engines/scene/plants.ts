import type { SKRSContext2D } from '@napi-rs/canvas'
import { between, type Random } from '../random.ts'
import { type Colour, css, darker, hex, lighter, mix } from './colour.ts'

/** A conifer of `size` pixels that stands at (x, y). */
export function drawPine(context: SKRSContext2D, x: number, y: number, size: number, leaf: Colour): void {
  context.fillStyle = css(darker(mix(leaf, hex('#6b4a33'), 0.6), 0.2))
  context.fillRect(x - size * 0.025, y - size * 0.15, size * 0.05, size * 0.15)
  for (let tier = 0; tier < 4; tier += 1) {
    const top = y - size * (1 - tier * 0.06) + tier * size * 0.14
    const bottom = y - size * (0.66 - tier * 0.19)
    const half = size * (0.11 + tier * 0.055)
    for (const [side, tone] of [
      [-1, lighter(leaf, 0.1)],
      [1, darker(leaf, 0.16)],
    ] as const) {
      context.fillStyle = css(tone)
      context.beginPath()
      context.moveTo(x, top)
      context.quadraticCurveTo(x + side * half * 0.4, (top + bottom) / 2, x + side * half, bottom)
      context.quadraticCurveTo(x + side * half * 0.5, bottom - size * 0.015, x, bottom + size * 0.02)
      context.fill()
    }
  }
}

/** A broad tree: crown of puffs, dark below and light above. */
export function drawTree(
  context: SKRSContext2D,
  x: number,
  y: number,
  size: number,
  leaf: Colour,
  random: Random,
): void {
  context.fillStyle = css(darker(mix(leaf, hex('#6b4a33'), 0.7), 0.25))
  context.beginPath()
  context.moveTo(x - size * 0.05, y)
  context.quadraticCurveTo(x - size * 0.02, y - size * 0.3, x - size * 0.03, y - size * 0.55)
  context.lineTo(x + size * 0.03, y - size * 0.55)
  context.quadraticCurveTo(x + size * 0.02, y - size * 0.3, x + size * 0.05, y)
  context.fill()
  const puffs = Array.from({ length: 9 }, (_, index) => ({
    dx: Math.cos(index * 2.4) * between(random, 0.05, 0.27),
    dy: Math.sin(index * 2.4) * between(random, 0.05, 0.2),
    r: between(random, 0.13, 0.2),
  }))
  for (const [tone, lift, shrink] of [
    [darker(leaf, 0.22), 0, 1],
    [leaf, 0.035, 0.9],
    [lighter(leaf, 0.17), 0.085, 0.55],
  ] as const) {
    context.fillStyle = css(tone)
    context.beginPath()
    for (const { dx, dy, r } of puffs) {
      const centerX = x + dx * size * (0.6 + shrink * 0.4) - lift * size * 0.3
      const centerY = y - size * (0.68 + lift) + dy * size
      context.moveTo(centerX + r * size * shrink, centerY)
      context.arc(centerX, centerY, r * size * shrink, 0, 2 * Math.PI)
    }
    context.fill()
  }
}

const PETALS = ['#e8483f', '#f3b53a', '#e88bb3', '#8d6bd1', '#f7f1e3', '#e0662f'].map(hex)

/** Grass blades and small flowers over the ground between `top` and the lower edge, larger towards the viewer. */
export function drawMeadow(
  context: SKRSContext2D,
  area: { width: number; top: number; height: number; unit: number },
  look: { grass: Colour; dim: (colour: Colour) => Colour; flowers: number; petals: Colour[] },
  random: Random,
): void {
  const petals = look.petals.length > 0 ? look.petals : PETALS
  const rows = 26
  for (let row = 0; row < rows; row += 1) {
    const near = row / (rows - 1)
    const y = area.top + (area.height - area.top) * near ** 1.5
    const size = (5 + 44 * near ** 1.6) * area.unit
    for (let index = 0; index < 70 - near * 36; index += 1) {
      const x = random() * area.width
      const bend = between(random, -0.4, 0.4) * size
      context.strokeStyle = css(mix(darker(look.grass, 0.25), lighter(look.grass, 0.3), random()), 0.8)
      context.lineWidth = Math.max(0.8, size * 0.06)
      context.beginPath()
      context.moveTo(x, y + size * 0.3)
      context.quadraticCurveTo(x, y - size * 0.3, x + bend, y - size * between(random, 0.5, 1))
      context.stroke()
      if (random() > look.flowers) continue
      const petal = look.dim(petals[Math.floor(random() * petals.length)] ?? look.grass)
      drawBloom(context, x + bend, y - size * 0.8, size * 0.2, petal)
    }
  }
}

export function drawBloom(context: SKRSContext2D, x: number, y: number, radius: number, petal: Colour): void {
  context.fillStyle = css(petal)
  context.beginPath()
  for (let index = 0; index < 5; index += 1) {
    const turn = (index / 5) * 2 * Math.PI - Math.PI / 2
    const [centerX, centerY] = [x + Math.cos(turn) * radius * 0.75, y + Math.sin(turn) * radius * 0.75]
    context.moveTo(centerX + radius * 0.62, centerY)
    context.arc(centerX, centerY, radius * 0.62, 0, 2 * Math.PI)
  }
  context.fill()
  context.fillStyle = css(mix(hex('#f6cf5a'), petal, 0.15))
  context.beginPath()
  context.arc(x, y, radius * 0.42, 0, 2 * Math.PI)
  context.fill()
}
