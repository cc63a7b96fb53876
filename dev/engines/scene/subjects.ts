import { css, hex } from './colour.ts'
import type { Pen } from './pen.ts'

interface Subject {
  name: string
  words: RegExp
  place: 'ground' | 'sky' | 'water'
  /** Height of the drawing, in thousandths of the shorter side. */
  size: number
  draw: (pen: Pen) => void
}

const subject = <const Name extends string>(
  name: Name,
  words: RegExp,
  place: Subject['place'],
  size: number,
  draw: (pen: Pen) => void,
) => ({ name, words, place, size, draw })

/** The subjects that can be drawn by name. */
export const SUBJECTS = [
  subject('bicycle', /\b(bicycles?|bikes?|cycling)\b/, 'ground', 340, bicycle),
  subject('car', /\b(cars?|automobile|taxi|vehicle)\b/, 'ground', 260, car),
  subject('sailboat', /\b(sail ?boats?|boats?|ships?|yachts?|sailing)\b/, 'water', 300, sailboat),
  subject('balloon', /\b(hot[ -]air balloons?|balloons?)\b/, 'sky', 300, balloon),
  subject('cat', /\b(cats?|kittens?|kitty)\b/, 'ground', 340, cat),
  subject('house', /\b(houses?|cottages?|cabins?|home|hut|farm ?house)\b/, 'ground', 360, house),
  subject('lighthouse', /\b(light ?houses?)\b/, 'ground', 400, lighthouse),
  subject('tree', /\b(trees?|oaks?|maple|forest|woods?)\b/, 'ground', 420, tree),
  subject('flower', /\b(flowers?|roses?|tulips?|daisy|daisies|sunflowers?|blossoms?|poppy)\b/, 'ground', 340, flower),
  subject('robot', /\b(robots?|android)\b/, 'ground', 360, robot),
] as const satisfies readonly Subject[]

export type SubjectName = (typeof SUBJECTS)[number]['name']

const [BLACK, METAL, WHITE, WOOD] = [hex('#2c2d38'), hex('#cfd6dc'), hex('#f6f1e6'), hex('#7a4a2b')]
const LEAF = hex('#4c9455')

/** Lit or clear glass. Lamplight shines around it in the dark. */
function pane({ context, dark, box }: Pen, x: number, y: number, wide: number, tall: number): void {
  box(hex(dark ? '#ffd27a' : '#a9d3e6'), x, y, wide, tall)
  if (!dark) return
  const [centerX, centerY, radius] = [x + wide / 2, y + tall / 2, tall * 2.5]
  const glow = context.createRadialGradient(centerX, centerY, 0, centerX, centerY, radius)
  glow.addColorStop(0, css(hex('#ffdf96'), 0.5))
  glow.addColorStop(1, css(hex('#ffdf96'), 0))
  context.fillStyle = glow
  context.fillRect(centerX - radius, centerY - radius, radius * 2, radius * 2)
}

function bicycle({ line, ring, disc, blob, box, main }: Pen): void {
  const { base, dark } = main(hex('#d63b35'))
  for (const x of [-0.52, 0.52]) {
    for (let turn = 0; turn < Math.PI; turn += Math.PI / 7) {
      const [dx, dy] = [Math.cos(turn) * 0.28, Math.sin(turn) * 0.28]
      line(METAL, 0.006, [x - dx, -0.34 - dy], [x + dx, -0.34 + dy])
    }
    ring(BLACK, 0.05, x, -0.34, 0.32)
  }
  line(base, 0.046, [-0.08, -0.34], [-0.52, -0.34], [-0.24, -0.76], [-0.08, -0.34], [0.34, -0.7], [-0.24, -0.76])
  line(base, 0.046, [0.3, -0.88], [0.52, -0.34])
  line(base, 0.04, [-0.24, -0.76], [-0.28, -0.86])
  line(BLACK, 0.03, [0.44, -0.98], [0.3, -0.98], [0.31, -0.86])
  disc(dark, -0.08, -0.34, 0.07)
  blob(WOOD, [-0.44, -0.88], [-0.12, -0.92], [-0.3, -0.83])
  box(BLACK, -0.03, -0.2, 0.12, 0.03, 0.015)
}

function car({ disc, blob, shape, main }: Pen): void {
  const { base, dark } = main(hex('#2f8f86'))
  blob(base, [-0.62, -0.48], [-0.5, -0.96], [0.22, -0.98], [0.52, -0.48])
  blob(dark, [-1, -0.18], [-1.02, -0.5], [-0.5, -0.58], [0.55, -0.56], [1.02, -0.46], [1.02, -0.16])
  blob(base, [-1, -0.26], [-1.02, -0.52], [-0.5, -0.6], [0.55, -0.58], [1.02, -0.48], [1.02, -0.28])
  shape(hex('#cfe6ee'), [-0.5, -0.56], [-0.4, -0.84], [0.17, -0.86], [0.37, -0.56])
  disc(hex('#fff1b8'), 0.95, -0.4, 0.055)
  for (const x of [-0.56, 0.56]) {
    disc(BLACK, x, -0.2, 0.21)
    disc(METAL, x, -0.2, 0.11)
  }
}

function sailboat({ line, shape, blob, main }: Pen): void {
  const { base, light } = main(hex('#8c4a32'))
  line(WOOD, 0.03, [0, -0.16], [0, -1.12])
  blob(WHITE, [0.03, -1.2], [0.5, -0.5], [0.5, -0.24], [0.03, -0.24], [0.03, -0.7])
  shape(hex('#e6d9bd'), [-0.03, -0.98], [-0.4, -0.27], [-0.03, -0.25])
  blob(base, [-0.66, -0.22], [-0.4, 0.05], [0.36, 0.05], [0.7, -0.26])
  line(light, 0.03, [-0.5, -0.13], [0.5, -0.14])
}

function balloon({ disc, line, box, main }: Pen): void {
  const { base, light, dark } = main(hex('#e2573d'))
  for (const x of [-0.2, 0.2]) line(WOOD, 0.01, [x, -0.44], [x * 0.4, -0.14])
  for (const [index, tone] of [dark, base, WHITE, light].entries())
    disc(tone, 0, -0.74, 0.42 * (1 - index * 0.25), 0.42)
  box(WOOD, -0.09, -0.16, 0.18, 0.15, 0.03)
}

function cat({ line, disc, blob, shape, main }: Pen): void {
  const { base, light, dark } = main(hex('#d98a45'))
  line(dark, 0.09, [0.2, -0.06], [0.5, -0.1], [0.56, -0.3], [0.46, -0.46])
  blob(base, [-0.34, 0.06], [-0.3, -0.4], [-0.16, -0.78], [0.12, -0.78], [0.34, -0.34], [0.4, 0.06])
  blob(light, [-0.16, 0], [-0.14, -0.46], [0.04, -0.5], [0.08, 0])
  shape(base, [-0.25, -0.78], [-0.22, -1.1], [-0.04, -0.92])
  shape(base, [0.21, -0.78], [0.18, -1.1], [0, -0.92])
  disc(base, -0.02, -0.76, 0.25, 0.21)
  disc(light, -0.02, -0.68, 0.12, 0.085)
  for (const x of [-0.12, 0.08]) {
    disc(hex('#9bc46a'), x, -0.78, 0.045)
    disc(BLACK, x, -0.78, 0.025, 0.04)
  }
  shape(hex('#d4737c'), [-0.05, -0.715], [0.01, -0.715], [-0.02, -0.685])
  for (const side of [-1, 1]) line(WHITE, 0.008, [side * 0.07 - 0.02, -0.68], [side * 0.31 - 0.02, -0.7])
}

function house(pen: Pen): void {
  const { box, shape } = pen
  const wall = pen.main(hex('#f1e2c8'))
  const roof = hex('#a94a3a')
  box(hex('#8d5a44'), 0.2, -1, 0.14, 0.4)
  box(wall.base, -0.5, -0.6, 1, 0.6)
  box(wall.dark, 0.3, -0.6, 0.2, 0.6)
  shape(roof, [-0.64, -0.56], [0, -1.1], [0.64, -0.56])
  box(hex('#5f7f6b'), -0.1, -0.36, 0.18, 0.36, 0.02)
  for (const x of [-0.4, 0.15]) pane(pen, x, -0.42, 0.15, 0.18)
}

function lighthouse(pen: Pen): void {
  const { context, shape, box, blob, dark } = pen
  const stripe = pen.main(hex('#cf3f38')).base
  blob(hex('#6f6a66'), [-0.6, 0.08], [-0.44, -0.14], [0.4, -0.16], [0.62, 0.08])
  if (dark) {
    for (const side of [-1, 1]) {
      const beam = context.createLinearGradient(0, 0, side * 2.6, 0)
      beam.addColorStop(0, css(hex('#fff0b3'), 0.6))
      beam.addColorStop(1, css(hex('#fff0b3'), 0))
      context.fillStyle = beam
      context.beginPath()
      for (const [x, y] of [
        [0, -1.21],
        [side * 2.6, -1.46],
        [side * 2.6, -0.98],
        [0, -1.17],
      ] as const)
        context.lineTo(x, y)
      context.fill()
    }
  }
  const half = (y: number): number => 0.2 + y * 0.085
  for (let band = 0; band < 5; band += 1) {
    const [low, high] = [-0.12 - band * 0.19, -0.31 - band * 0.19]
    shape(band % 2 === 0 ? WHITE : stripe, [-half(low), low], [-half(high), high], [half(high), high], [half(low), low])
  }
  box(BLACK, -0.17, -1.1, 0.34, 0.045, 0.01)
  pane(pen, -0.08, -1.26, 0.16, 0.16)
  shape(stripe, [-0.12, -1.25], [0, -1.4], [0.12, -1.25])
}

function tree({ shape, disc, main }: Pen): void {
  const { base, light, dark } = main(LEAF)
  shape(WOOD, [-0.06, 0], [-0.03, -0.6], [0.03, -0.6], [0.06, 0])
  for (const [tone, lift, size] of [
    [dark, 0, 0.2],
    [base, 0.04, 0.17],
    [light, 0.09, 0.09],
  ] as const) {
    for (let turn = 0; turn < 2 * Math.PI; turn += Math.PI / 4) {
      disc(tone, Math.cos(turn) * 0.2 - lift * 0.4, -0.72 - lift + Math.sin(turn) * 0.16, size)
    }
    disc(tone, -lift * 0.4, -0.72 - lift, size)
  }
}

function flower({ line, disc, main }: Pen): void {
  const { base, light } = main(hex('#e35d8a'))
  line(LEAF, 0.04, [0, 0], [-0.04, -0.35], [0, -0.72])
  disc(LEAF, -0.18, -0.34, 0.2, 0.08, 0.5)
  for (const [tone, reach] of [
    [base, 0.26],
    [light, 0.16],
  ] as const) {
    for (let turn = 0; turn < 2 * Math.PI; turn += Math.PI / 4) {
      disc(tone, Math.cos(turn) * reach * 0.7, -0.82 + Math.sin(turn) * reach * 0.7, reach * 0.52, reach * 0.3, turn)
    }
  }
  disc(hex('#e9b23a'), 0, -0.82, 0.09)
}

function robot({ box, disc, line, main }: Pen): void {
  const { base, light, dark } = main(hex('#6fa3b8'))
  for (const side of [-1, 1]) {
    box(dark, side * 0.17 - 0.07, -0.22, 0.14, 0.2, 0.03)
    box(base, side * 0.2 - 0.11, -0.06, 0.22, 0.07, 0.03)
    line(dark, 0.07, [side * 0.3, -0.52], [side * 0.48, -0.44], [side * 0.44, -0.26])
  }
  box(base, -0.31, -0.62, 0.62, 0.44, 0.08)
  box(light, -0.2, -0.53, 0.4, 0.22, 0.04)
  line(dark, 0.025, [0, -1.02], [0, -1.14])
  disc(hex('#f2c53d'), 0, -1.16, 0.04)
  box(base, -0.25, -1.02, 0.5, 0.35, 0.1)
  box(BLACK, -0.19, -0.96, 0.38, 0.2, 0.07)
  for (const x of [-0.09, 0.09]) disc(hex('#9bf0e0'), x, -0.86, 0.045)
}
