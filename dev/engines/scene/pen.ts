import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../random.ts'
import { type Colour, css, darker, lighter, mix } from './colour.ts'
import type { Light } from './light.ts'

/**
 * Draws one subject: the ground is y = 0, up is negative, the subject is about 1 high and stands around x = 0.
 * Colours given to it are dimmed for the light of the scene.
 */
export interface Pen {
  context: SKRSContext2D
  random: Random
  light: Light
  /** The colour the prompt asked for, or the subject's own. */
  main: (own: Colour) => Colour
  /** True where lamps are lit. */
  dark: boolean
  fill: (colour: Colour, draw: () => void, alpha?: number) => void
  line: (colour: Colour, width: number, draw: () => void) => void
  /** A closed shape through points, straight. */
  shape: (colour: Colour, ...points: readonly [number, number][]) => void
  /** A closed shape through points, rounded. */
  blob: (colour: Colour, ...points: readonly [number, number][]) => void
  disc: (colour: Colour, x: number, y: number, rx: number, ry?: number, turn?: number) => void
  box: (colour: Colour, x: number, y: number, wide: number, tall: number, round?: number) => void
}

export function createPen(context: SKRSContext2D, light: Light, random: Random, asked: Colour | undefined): Pen {
  const dim = (colour: Colour): Colour => mix(colour, light.shade, light.dimness * 0.58)
  const fill: Pen['fill'] = (colour, draw, alpha = 1) => {
    context.fillStyle = css(dim(colour), alpha)
    context.beginPath()
    draw()
    context.fill()
  }
  return {
    context,
    random,
    light,
    dark: light.dimness > 0.25,
    main: (own) => asked ?? own,
    fill,
    line(colour, width, draw) {
      context.strokeStyle = css(dim(colour))
      context.lineWidth = width
      context.lineCap = 'round'
      context.lineJoin = 'round'
      context.beginPath()
      draw()
      context.stroke()
    },
    shape: (colour, ...points) =>
      fill(colour, () => {
        for (const [x, y] of points) context.lineTo(x, y)
        context.closePath()
      }),
    blob: (colour, ...points) => fill(colour, () => roundPath(context, points)),
    disc: (colour, x, y, rx, ry = rx, turn = 0) =>
      fill(colour, () => context.ellipse(x, y, rx, ry, turn, 0, 2 * Math.PI)),
    box: (colour, x, y, wide, tall, round = 0) => fill(colour, () => context.roundRect(x, y, wide, tall, round)),
  }
}

/** Curves through the middles of the sides: every corner is rounded off. */
function roundPath(context: SKRSContext2D, points: readonly (readonly [number, number])[]): void {
  for (const [index, [x, y]] of points.entries()) {
    const [nextX, nextY] = points[(index + 1) % points.length] ?? [x, y]
    const middle = [(x + nextX) / 2, (y + nextY) / 2] as const
    if (index === 0) {
      const [lastX, lastY] = points.at(-1) ?? [x, y]
      context.moveTo((x + lastX) / 2, (y + lastY) / 2)
    }
    context.quadraticCurveTo(x, y, ...middle)
  }
  context.closePath()
}

/** Light and dark sides of a colour. */
export const tones = (colour: Colour): { base: Colour; light: Colour; dark: Colour } => ({
  base: colour,
  light: lighter(colour, 0.28),
  dark: darker(colour, 0.3),
})
