import { type Colour, hex, lighter } from './colour.ts'
import { type Pen, tones } from './pen.ts'
import { drawPine, drawTree } from './plants.ts'

/** Drawn small and scaled back, since plants are measured in pixels. */
export const tree = (pen: Pen): void => drawTree(pen.context, 0, 0, 1.25, dimmed(pen, hex('#4c9455')), pen.random)
export const pine = (pen: Pen): void => drawPine(pen.context, 0, 0, 1.3, dimmed(pen, hex('#2f6f55')))

function dimmed(pen: Pen, own: Colour): Colour {
  const [red, green, blue] = pen.main(own)
  const keep = 1 - pen.light.dimness * 0.6
  return [red * keep, green * keep, blue * keep]
}

export function flower(pen: Pen): void {
  const { context, line, disc, blob } = pen
  const petal = tones(pen.main(hex('#e35d8a')))
  line(hex('#3f8a4c'), 0.04, () => {
    context.moveTo(0, 0)
    context.quadraticCurveTo(-0.08, -0.35, 0, -0.72)
  })
  blob(hex('#4f9d5b'), [-0.04, -0.2], [-0.2, -0.44], [-0.46, -0.42], [-0.3, -0.22])
  blob(hex('#3f8a4c'), [0, -0.3], [0.16, -0.52], [0.42, -0.54], [0.26, -0.32])
  for (const [tone, reach, count, shift] of [
    [petal.dark, 0.29, 8, 0.2],
    [petal.base, 0.25, 8, 0],
    [petal.light, 0.15, 7, 0.4],
  ] as const) {
    for (let index = 0; index < count; index += 1) {
      const turn = (index / count) * 2 * Math.PI + shift
      disc(tone, Math.cos(turn) * reach * 0.7, -0.82 + Math.sin(turn) * reach * 0.7, reach * 0.52, reach * 0.3, turn)
    }
  }
  disc(hex('#e9b23a'), 0, -0.82, 0.09)
  disc(hex('#f8d877'), -0.02, -0.84, 0.05)
}

export function mushroom(pen: Pen): void {
  const { context, disc, blob } = pen
  const cap = tones(pen.main(hex('#cc3b33')))
  blob(hex('#f3ead8'), [-0.14, 0.02], [-0.1, -0.5], [0.1, -0.5], [0.15, 0.02])
  blob(hex('#d8cbb2'), [0.02, 0.02], [0.02, -0.5], [0.1, -0.5], [0.15, 0.02])
  pen.fill(cap.dark, () => context.ellipse(0, -0.5, 0.5, 0.12, 0, 0, 2 * Math.PI))
  pen.fill(cap.base, () => {
    context.moveTo(-0.5, -0.5)
    context.bezierCurveTo(-0.46, -1.1, 0.46, -1.1, 0.5, -0.5)
    context.quadraticCurveTo(0, -0.4, -0.5, -0.5)
  })
  for (const [x, y, r] of [
    [-0.24, -0.66, 0.075],
    [0.02, -0.8, 0.085],
    [0.26, -0.62, 0.065],
    [-0.03, -0.57, 0.05],
    [-0.36, -0.53, 0.04],
  ] as const) {
    disc(hex('#fff7ea'), x, y, r, r * 0.8)
  }
}

export function cup(pen: Pen): void {
  const { context, line, disc } = pen
  const { base, light, dark } = tones(pen.main(hex('#3f7f97')))
  disc(hex('#f0e7d8'), 0, -0.03, 0.62, 0.11)
  disc(hex('#d5c9b4'), 0, -0.05, 0.42, 0.06)
  line(dark, 0.075, () => context.ellipse(0.4, -0.4, 0.17, 0.16, 0, -1.4, 1.7))
  pen.fill(base, () => {
    context.moveTo(-0.42, -0.66)
    context.bezierCurveTo(-0.42, -0.2, -0.3, -0.06, 0, -0.06)
    context.bezierCurveTo(0.3, -0.06, 0.42, -0.2, 0.42, -0.66)
  })
  pen.fill(
    light,
    () => {
      context.moveTo(-0.36, -0.6)
      context.bezierCurveTo(-0.36, -0.3, -0.28, -0.16, -0.2, -0.12)
      context.bezierCurveTo(-0.27, -0.3, -0.27, -0.45, -0.27, -0.6)
    },
    0.6,
  )
  disc(light, 0, -0.66, 0.42, 0.1)
  disc(hex('#4a2c1b'), 0, -0.655, 0.37, 0.078)
  disc(hex('#7a4d2e'), -0.05, -0.665, 0.2, 0.035)
  for (const x of [-0.14, 0.02, 0.18]) {
    context.globalAlpha = 0.5
    line(hex('#ffffff'), 0.03, () => {
      context.moveTo(x, -0.78)
      context.bezierCurveTo(x - 0.1, -0.9, x + 0.12, -1, x, -1.14)
    })
    context.globalAlpha = 1
  }
}

export function robot(pen: Pen): void {
  const { box, disc, line, context } = pen
  const { base, light, dark } = tones(pen.main(hex('#6fa3b8')))
  for (const side of [-1, 1]) {
    box(dark, side * 0.17 - 0.07, -0.22, 0.14, 0.2, 0.03)
    box(base, side * 0.2 - 0.11, -0.06, 0.22, 0.07, 0.03)
    line(dark, 0.07, () => {
      context.moveTo(side * 0.3, -0.52)
      context.quadraticCurveTo(side * 0.5, -0.44, side * 0.44, -0.26)
    })
    disc(base, side * 0.44, -0.24, 0.065)
  }
  box(base, -0.31, -0.62, 0.62, 0.44, 0.08)
  box(light, -0.2, -0.53, 0.4, 0.22, 0.04)
  for (const [index, colour] of ['#e2573d', '#f2c53d', '#5fb36a'].entries())
    disc(hex(colour), -0.1 + index * 0.1, -0.24, 0.03)
  line(hex('#2f8f86'), 0.018, () => {
    for (const [index, y] of [-0.42, -0.42, -0.49, -0.36, -0.42, -0.42].entries())
      context.lineTo(-0.16 + index * 0.064, y)
  })
  box(base, -0.25, -1.02, 0.5, 0.35, 0.1)
  box(hex('#26303f'), -0.19, -0.96, 0.38, 0.2, 0.07)
  for (const x of [-0.09, 0.09]) disc(hex('#9bf0e0'), x, -0.86, 0.045)
  line(hex('#9bf0e0'), 0.016, () => context.arc(0, -0.83, 0.05, 0.5, Math.PI - 0.5))
  line(dark, 0.025, () => {
    context.moveTo(0, -1.02)
    context.lineTo(0, -1.14)
  })
  disc(hex('#f2c53d'), 0, -1.16, 0.04)
}

export function astronaut(pen: Pen): void {
  const { box, disc, blob } = pen
  const suit = tones(pen.main(hex('#eef1f4')))
  box(suit.dark, -0.3, -0.7, 0.6, 0.45, 0.1)
  for (const side of [-1, 1]) {
    blob(suit.base, [side * 0.04, -0.3], [side * 0.06, 0.02], [side * 0.26, 0.03], [side * 0.24, -0.3])
    box(hex('#8d97a6'), side * 0.155 - 0.11, -0.05, 0.22, 0.07, 0.03)
    blob(
      suit.base,
      [side * 0.18, -0.68],
      [side * 0.5, -0.56],
      [side * 0.52, -0.34],
      [side * 0.38, -0.32],
      [side * 0.22, -0.46],
    )
    disc(hex('#8d97a6'), side * 0.46, -0.34, 0.07)
  }
  blob(suit.base, [-0.28, -0.2], [-0.3, -0.72], [0.3, -0.72], [0.28, -0.2])
  box(hex('#c9d0d9'), -0.13, -0.5, 0.26, 0.18, 0.04)
  for (const [index, colour] of ['#e2573d', '#4f9d5b', '#3670c9'].entries())
    disc(hex(colour), -0.07 + index * 0.07, -0.42, 0.022)
  disc(suit.base, 0, -0.9, 0.28, 0.27)
  disc(hex('#1d2740'), 0.03, -0.89, 0.21, 0.185)
  disc(hex('#e0a24a'), 0.03, -0.87, 0.18, 0.15)
  disc(lighter(hex('#e0a24a'), 0.55), -0.06, -0.93, 0.06, 0.04, -0.5)
}

export function snowman(pen: Pen): void {
  const { disc, shape, box, line, context } = pen
  for (const [y, r] of [
    [-0.26, 0.31],
    [-0.66, 0.22],
    [-0.96, 0.16],
  ] as const) {
    disc(hex('#cfdce8'), 0.015, y, r)
    disc(hex('#ffffff'), -0.02, y - 0.015, r * 0.94)
  }
  box(hex('#2c2d38'), -0.15, -1.34, 0.3, 0.24, 0.02)
  box(hex('#2c2d38'), -0.24, -1.12, 0.48, 0.045, 0.02)
  box(pen.main(hex('#c9413b')), -0.17, -0.84, 0.34, 0.075, 0.03)
  box(pen.main(hex('#c9413b')), 0.06, -0.82, 0.085, 0.24, 0.03)
  for (const x of [-0.06, 0.06]) disc(hex('#2c2d38'), x, -1, 0.02)
  shape(hex('#ee8434'), [0, -0.96], [0.2, -0.92], [0, -0.92])
  for (const y of [-0.74, -0.62, -0.5]) disc(hex('#2c2d38'), 0, y, 0.02)
  for (const side of [-1, 1]) {
    line(hex('#5a4030'), 0.025, () => {
      context.moveTo(side * 0.18, -0.7)
      context.lineTo(side * 0.5, -0.92)
    })
  }
}

export function apple(pen: Pen): void {
  const { blob, line, context, disc } = pen
  const { base, light, dark } = tones(pen.main(hex('#cf3a35')))
  blob(
    dark,
    [0, -0.78],
    [0.36, -0.94],
    [0.52, -0.56],
    [0.34, -0.02],
    [0, -0.06],
    [-0.34, -0.02],
    [-0.52, -0.56],
    [-0.36, -0.94],
  )
  blob(
    base,
    [-0.03, -0.76],
    [0.3, -0.9],
    [0.44, -0.56],
    [0.26, -0.06],
    [-0.03, -0.1],
    [-0.34, -0.06],
    [-0.5, -0.56],
    [-0.36, -0.9],
  )
  disc(light, -0.24, -0.6, 0.07, 0.15, 0.35)
  line(hex('#5a3a28'), 0.045, () => {
    context.moveTo(0, -0.76)
    context.quadraticCurveTo(0.02, -0.94, 0.1, -1.04)
  })
  blob(hex('#5fa853'), [0.06, -0.9], [0.2, -1.1], [0.42, -1.04], [0.26, -0.88])
}
