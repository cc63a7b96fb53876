import { type Colour, hex } from './colour.ts'
import { type Pen, tones } from './pen.ts'

export function cat(pen: Pen): void {
  const { context, line, disc, blob, shape } = pen
  const { base, light, dark } = tones(pen.main(hex('#d98a45')))
  line(dark, 0.09, () => {
    context.moveTo(0.2, -0.06)
    context.bezierCurveTo(0.62, 0, 0.66, -0.4, 0.46, -0.5)
  })
  blob(base, [-0.3, 0.04], [-0.3, -0.4], [-0.16, -0.72], [0.12, -0.72], [0.32, -0.34], [0.36, 0.04])
  blob(light, [-0.16, 0], [-0.14, -0.46], [0.04, -0.5], [0.08, 0])
  for (const x of [-0.14, 0.06]) disc(light, x, -0.02, 0.075, 0.05)
  shape(base, [-0.25, -0.78], [-0.22, -1.1], [-0.04, -0.92])
  shape(base, [0.21, -0.78], [0.18, -1.1], [0, -0.92])
  shape(hex('#e79a9a'), [-0.205, -0.86], [-0.19, -1.02], [-0.09, -0.92])
  shape(hex('#e79a9a'), [0.165, -0.86], [0.15, -1.02], [0.05, -0.92])
  disc(base, -0.02, -0.76, 0.25, 0.21)
  for (const stripe of [-0.08, -0.02, 0.04]) pen.box(dark, stripe - 0.012, -0.97, 0.024, 0.09, 0.012)
  disc(light, -0.02, -0.68, 0.12, 0.085)
  eyes(pen, [-0.12, 0.08], -0.78, 0.045, hex('#9bc46a'))
  shape(hex('#d4737c'), [-0.05, -0.715], [0.01, -0.715], [-0.02, -0.685])
  for (const side of [-1, 1]) {
    for (const lift of [-0.03, 0, 0.03]) {
      line(hex('#fffaf0'), 0.008, () => {
        context.moveTo(-0.02 + side * 0.09, -0.68 + lift * 0.4)
        context.lineTo(-0.02 + side * 0.31, -0.69 + lift)
      })
    }
  }
}

function eyes({ disc }: Pen, places: number[], y: number, size: number, iris: Colour): void {
  for (const x of places) {
    disc(iris, x, y, size)
    disc(hex('#1d1c24'), x, y, size * 0.55, size * 0.9)
    disc(hex('#ffffff'), x - size * 0.3, y - size * 0.35, size * 0.24)
  }
}

/** A dog or, redder and with a bushy tail, a fox: sitting, seen from the side. */
function hound(pen: Pen, coat: Colour, isFox: boolean): void {
  const { context, disc, blob, shape, line } = pen
  const { base, light, dark } = tones(pen.main(coat))
  const white = hex('#fbf4e6')
  if (isFox) {
    blob(dark, [0.2, 0.02], [0.8, 0.1], [0.9, -0.34], [0.66, -0.42], [0.5, -0.2], [0.2, -0.22])
    blob(white, [0.74, -0.1], [0.92, -0.36], [0.68, -0.44], [0.64, -0.26])
  } else {
    line(dark, 0.07, () => {
      context.moveTo(0.28, -0.1)
      context.quadraticCurveTo(0.56, -0.16, 0.6, -0.42)
    })
  }
  blob(base, [-0.2, 0.02], [-0.26, -0.5], [-0.06, -0.74], [0.16, -0.6], [0.38, -0.2], [0.36, 0.04])
  blob(white, [-0.24, -0.16], [-0.28, -0.56], [-0.1, -0.62], [-0.1, -0.2])
  pen.box(isFox ? hex('#3a2a28') : base, -0.24, -0.3, 0.11, 0.31, 0.05)
  disc(isFox ? hex('#3a2a28') : light, -0.21, -0.015, 0.09, 0.04)
  disc(dark, 0.26, -0.03, 0.16, 0.06)
  if (isFox) {
    shape(base, [-0.2, -0.86], [-0.26, -1.18], [-0.03, -0.95])
    shape(base, [0, -0.92], [0.1, -1.16], [0.14, -0.84])
    shape(hex('#3a2a28'), [-0.24, -1.06], [-0.26, -1.18], [-0.15, -1.06])
  }
  blob(base, [-0.5, -0.72], [-0.24, -0.98], [0.06, -1], [0.2, -0.78], [0.02, -0.62], [-0.3, -0.62])
  blob(white, [-0.52, -0.71], [-0.3, -0.74], [-0.02, -0.68], [-0.1, -0.6], [-0.32, -0.62])
  disc(hex('#1d1c24'), -0.45, -0.735, 0.045, 0.038)
  eyes(pen, [-0.15], -0.83, 0.042, hex('#b97a35'))
  if (!isFox) blob(dark, [0, -0.98], [0.2, -0.94], [0.22, -0.62], [0.06, -0.66])
}

export const dog = (pen: Pen): void => hound(pen, hex('#b98a5a'), false)
export const fox = (pen: Pen): void => hound(pen, hex('#d9662b'), true)

/** A small flock on the wing. */
export function birds({ context, line, random, main }: Pen): void {
  for (let index = 0; index < 7; index += 1) {
    const [x, y] = [(index - 3) * 0.3, -0.5 - Math.abs(index - 3) * 0.1 + random() * 0.12]
    const size = 0.1 + random() * 0.07
    line(main(hex('#2b3040')), 0.022, () => {
      context.moveTo(x - size, y - size * 0.25)
      context.quadraticCurveTo(x - size * 0.45, y - size * 0.75, x, y)
      context.quadraticCurveTo(x + size * 0.45, y - size * 0.75, x + size, y - size * 0.25)
    })
  }
}

/** A whale with its fountain, half out of the water. */
export function whale(pen: Pen): void {
  const { context, blob, disc, line } = pen
  const { base, light, dark } = tones(pen.main(hex('#3d6a94')))
  for (const side of [-1, 1]) {
    line(hex('#eaf6fb'), 0.03, () => {
      context.moveTo(-0.24, -0.62)
      context.quadraticCurveTo(-0.24 + side * 0.05, -0.95, -0.24 + side * 0.2, -0.84)
    })
  }
  blob(base, [0.6, -0.3], [0.78, -0.66], [0.62, -0.86], [0.86, -0.78], [1.1, -0.9], [0.98, -0.64], [0.8, -0.1])
  blob(base, [-0.9, 0.04], [-0.86, -0.5], [-0.3, -0.68], [0.4, -0.46], [0.9, -0.16], [0.8, 0.06])
  blob(light, [-0.88, 0.04], [-0.84, -0.16], [-0.3, -0.12], [0.3, 0.05])
  disc(hex('#14202e'), -0.56, -0.27, 0.035)
  blob(dark, [-0.2, -0.06], [-0.06, 0.08], [0.2, 0.06], [0.06, -0.1])
  pen.fill(hex('#ffffff'), () => context.ellipse(0, 0.04, 1, 0.04, 0, 0, 2 * Math.PI), 0.5)
}
