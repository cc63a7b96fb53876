import { css, hex } from './colour.ts'
import { type Pen, tones } from './pen.ts'

const glass = (pen: Pen) => hex(pen.dark ? '#ffd27a' : '#a9d3e6')

/** Lamplight is not dimmed by the evening. */
function glow({ context }: Pen, x: number, y: number, radius: number, strength: number): void {
  const light = context.createRadialGradient(x, y, 0, x, y, radius)
  light.addColorStop(0, css(hex('#ffdf96'), strength))
  light.addColorStop(1, css(hex('#ffdf96'), 0))
  context.fillStyle = light
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2)
}

export function house(pen: Pen): void {
  const { box, shape, disc } = pen
  const wall = tones(pen.main(hex('#f1e2c8')))
  const roof = tones(hex('#a94a3a'))
  box(hex('#8d5a44'), 0.22, -1.08, 0.13, 0.34)
  box(hex('#6d4233'), 0.2, -1.1, 0.17, 0.05)
  box(wall.base, -0.5, -0.6, 1, 0.6)
  box(wall.dark, 0.24, -0.6, 0.26, 0.6)
  shape(wall.base, [-0.5, -0.58], [-0.13, -1], [0.24, -0.58])
  shape(roof.base, [-0.13, -1.06], [0.34, -1.06], [0.62, -0.56], [0.24, -0.56])
  shape(roof.light, [-0.13, -1.08], [-0.62, -0.54], [-0.54, -0.54], [-0.13, -0.98], [0.25, -0.54], [0.33, -0.54])
  box(hex('#5f7f6b'), -0.2, -0.36, 0.17, 0.36, 0.02)
  disc(hex('#e7c15d'), -0.06, -0.17, 0.014)
  for (const [x, y] of [
    [-0.42, -0.42],
    [0.03, -0.42],
    [0.32, -0.42],
    [-0.2, -0.76],
  ] as const) {
    box(hex('#fdf8ec'), x - 0.015, y - 0.015, 0.17, 0.2)
    box(glass(pen), x, y, 0.14, 0.17)
    box(hex('#fdf8ec'), x + 0.063, y, 0.014, 0.17)
    box(hex('#fdf8ec'), x, y + 0.078, 0.14, 0.014)
    if (pen.dark) glow(pen, x + 0.07, y + 0.08, 0.3, 0.38)
  }
  for (const x of [-0.62, -0.5, 0.5, 0.62]) disc(hex('#4f8a4e'), x, -0.05, 0.1, 0.085)
}

export function lighthouse(pen: Pen): void {
  const { context, shape, box, disc, blob } = pen
  const stripe = pen.main(hex('#cf3f38'))
  blob(hex('#6f6a66'), [-0.55, 0.06], [-0.44, -0.1], [-0.2, -0.14], [0.14, -0.16], [0.4, -0.1], [0.58, 0.06])
  blob(hex('#857f79'), [-0.44, 0.04], [-0.34, -0.1], [-0.1, -0.12], [0.06, 0.02])
  if (pen.dark) {
    for (const side of [-1, 1]) {
      const beam = context.createLinearGradient(0, -1.19, side * 2.6, -1.19)
      beam.addColorStop(0, css(hex('#fff0b3'), 0.6))
      beam.addColorStop(1, css(hex('#fff0b3'), 0))
      context.fillStyle = beam
      context.beginPath()
      context.moveTo(0, -1.21)
      context.lineTo(side * 2.6, -1.46)
      context.lineTo(side * 2.6, -0.98)
      context.lineTo(0, -1.17)
      context.fill()
    }
  }
  const half = (y: number): number => 0.2 + y * 0.085
  for (let band = 0; band < 5; band += 1) {
    const [low, high] = [-0.12 - band * 0.19, -0.31 - band * 0.19]
    const tone = tones(band % 2 === 0 ? hex('#f6f1e6') : stripe)
    shape(tone.base, [-half(low), low], [-half(high), high], [half(high), high], [half(low), low])
    shape(tone.dark, [half(low) * 0.35, low], [half(high) * 0.35, high], [half(high), high], [half(low), low])
  }
  box(hex('#3b4150'), -0.17, -1.1, 0.34, 0.045, 0.01)
  box(glass(pen), -0.08, -1.26, 0.16, 0.16)
  for (const x of [-0.085, -0.03, 0.025, 0.075]) box(hex('#3b4150'), x, -1.26, 0.012, 0.16)
  shape(stripe, [-0.12, -1.25], [0, -1.4], [0.12, -1.25])
  disc(hex('#3b4150'), 0, -1.41, 0.02)
  box(hex('#5a4636'), -0.05, -0.27, 0.1, 0.15, 0.04)
  for (const y of [-0.55, -0.85]) box(hex('#3b4150'), -0.03, y, 0.05, 0.075, 0.02)
  if (pen.dark) glow(pen, 0, -1.18, 0.7, 0.75)
}

export function windmill(pen: Pen): void {
  const { context, shape, box, disc } = pen
  const wall = tones(pen.main(hex('#efe3cc')))
  shape(wall.base, [-0.26, 0], [-0.17, -0.8], [0.17, -0.8], [0.26, 0])
  shape(wall.dark, [0.08, 0], [0.06, -0.8], [0.17, -0.8], [0.26, 0])
  pen.fill(hex('#8b4a3a'), () => {
    context.moveTo(-0.2, -0.78)
    context.quadraticCurveTo(0, -1.12, 0.2, -0.78)
  })
  box(hex('#7a4a2e'), -0.06, -0.2, 0.12, 0.2, 0.04)
  for (const y of [-0.4, -0.62]) box(glass(pen), -0.04, y, 0.08, 0.1, 0.02)
  for (let arm = 0; arm < 4; arm += 1) {
    context.save()
    context.translate(0, -0.84)
    context.rotate(0.4 + (arm * Math.PI) / 2)
    box(hex('#6b4a33'), -0.012, -0.66, 0.024, 0.66)
    box(hex('#fbf6e9'), 0.012, -0.64, 0.13, 0.48, 0.01)
    for (let slat = 0; slat < 6; slat += 1) box(hex('#6b4a33'), 0.012, -0.62 + slat * 0.08, 0.13, 0.01)
    context.restore()
  }
  disc(hex('#4c3526'), 0, -0.84, 0.035)
}

export function castle(pen: Pen): void {
  const { shape, box } = pen
  const stone = tones(pen.main(hex('#b9b2a8')))
  const tower = (x: number, wide: number, tall: number): void => {
    box(stone.base, x - wide / 2, -tall, wide, tall)
    box(stone.dark, x + wide * 0.12, -tall, wide * 0.38, tall)
    for (let tooth = 0; tooth < 3; tooth += 1)
      box(stone.light, x - wide * 0.6 + tooth * wide * 0.45, -tall - 0.06, wide * 0.3, 0.08)
    shape(hex('#49608f'), [x - wide * 0.62, -tall - 0.04], [x, -tall - wide * 1.5], [x + wide * 0.62, -tall - 0.04])
    box(glass(pen), x - 0.022, -tall * 0.78, 0.044, 0.1, 0.022)
    if (pen.dark) glow(pen, x, -tall * 0.75, 0.22, 0.4)
  }
  tower(-0.3, 0.22, 0.78)
  tower(0.32, 0.2, 0.86)
  box(stone.base, -0.62, -0.42, 1.24, 0.42)
  for (let tooth = 0; tooth < 8; tooth += 1) box(stone.light, -0.62 + tooth * 0.16, -0.47, 0.09, 0.08)
  tower(0, 0.26, 1)
  tower(-0.62, 0.2, 0.58)
  tower(0.62, 0.2, 0.62)
  box(hex('#5a3a28'), -0.1, -0.25, 0.2, 0.25, 0.1)
}

export function tent(pen: Pen): void {
  const { shape, context } = pen
  const cloth = tones(pen.main(hex('#e08a3c')))
  shape(cloth.base, [-0.62, 0], [0, -0.72], [0.36, 0])
  shape(cloth.dark, [0.36, 0], [0, -0.72], [0.74, -0.08])
  shape(hex(pen.dark ? '#ffdf96' : '#5b3a24'), [-0.3, 0], [-0.06, -0.5], [0.08, 0])
  if (pen.dark) glow(pen, -0.12, -0.2, 0.75, 0.5)
  for (const [x, colour, tall] of [
    [0.95, '#e2512f', 0.3],
    [0.99, '#ff9a3d', 0.22],
    [0.97, '#ffe08a', 0.13],
  ] as const) {
    pen.blob(
      hex(colour),
      [x - 0.1, 0.02],
      [x - 0.06, -tall * 0.7],
      [x + 0.02, -tall * 1.3],
      [x + 0.09, -tall * 0.4],
      [x + 0.08, 0.02],
    )
  }
  glow(pen, 0.97, -0.12, 0.7, pen.dark ? 0.6 : 0.2)
  pen.line(hex('#5b3a24'), 0.05, () => {
    context.moveTo(0.82, 0.02)
    context.lineTo(1.12, -0.03)
  })
}
