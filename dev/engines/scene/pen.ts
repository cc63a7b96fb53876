import type { SKRSContext2D } from '@napi-rs/canvas'
import { type Colour, css, darker, lighter, mix } from './colour.ts'
import type { Light } from './frame.ts'

type Point = readonly [x: number, y: number]

/** Draws one subject: the ground is y = 0, up is negative, and the subject is about 1 high around x = 0. */
export interface Pen {
  context: SKRSContext2D
  /** The colour that the prompt names, or the subject's own, with a lighter and a darker tone. */
  main: (own: Colour) => { base: Colour; light: Colour; dark: Colour }
  /** True if lamps are lit. */
  dark: boolean
  line: (colour: Colour, width: number, ...points: readonly Point[]) => void
  ring: (colour: Colour, width: number, x: number, y: number, radius: number) => void
  /** A closed shape with straight sides. */
  shape: (colour: Colour, ...points: readonly Point[]) => void
  /** A closed shape with rounded corners. */
  blob: (colour: Colour, ...points: readonly Point[]) => void
  disc: (colour: Colour, x: number, y: number, rx: number, ry?: number, turn?: number) => void
  box: (colour: Colour, x: number, y: number, wide: number, tall: number, round?: number) => void
}

export function createPen(context: SKRSContext2D, light: Light, asked: Colour | undefined): Pen {
  const dim = (colour: Colour): string => css(mix(colour, light.shade, light.dimness * 0.58))
  const fill = (colour: Colour, draw: () => void): void => {
    context.fillStyle = dim(colour)
    context.beginPath()
    draw()
    context.fill()
  }
  const stroke = (colour: Colour, width: number, draw: () => void): void => {
    context.strokeStyle = dim(colour)
    context.lineWidth = width
    context.lineCap = 'round'
    context.lineJoin = 'round'
    context.beginPath()
    draw()
    context.stroke()
  }
  const through = (points: readonly Point[]): void => {
    for (const [x, y] of points) context.lineTo(x, y)
  }
  return {
    context,
    dark: light.dimness > 0.25,
    main: (own) => {
      const base = asked ?? own
      return { base, light: lighter(base, 0.28), dark: darker(base, 0.3) }
    },
    line: (colour, width, ...points) => stroke(colour, width, () => through(points)),
    ring: (colour, width, x, y, radius) => stroke(colour, width, () => context.arc(x, y, radius, 0, 2 * Math.PI)),
    shape: (colour, ...points) => fill(colour, () => through(points)),
    blob: (colour, ...points) => fill(colour, () => roundPath(context, points)),
    disc: (colour, x, y, rx, ry = rx, turn = 0) =>
      fill(colour, () => context.ellipse(x, y, rx, ry, turn, 0, 2 * Math.PI)),
    box: (colour, x, y, wide, tall, round = 0) => fill(colour, () => context.roundRect(x, y, wide, tall, round)),
  }
}

/** Curves through the middles of the sides, so that every corner is rounded. */
function roundPath(context: SKRSContext2D, points: readonly Point[]): void {
  for (const [index, [x, y]] of points.entries()) {
    const [nextX, nextY] = points[(index + 1) % points.length] ?? [x, y]
    if (index === 0) {
      const [lastX, lastY] = points.at(-1) ?? [x, y]
      context.moveTo((x + lastX) / 2, (y + lastY) / 2)
    }
    context.quadraticCurveTo(x, y, (x + nextX) / 2, (y + nextY) / 2)
  }
  context.closePath()
}
