import { hex, lighter } from './colour.ts'
import { type Pen, tones } from './pen.ts'

export function bicycle(pen: Pen): void {
  const { context, line, disc, box, random } = pen
  const { base, light, dark } = tones(pen.main(hex('#d63b35')))
  const [tyre, metal, leather] = [hex('#2c2d38'), hex('#cfd6dc'), hex('#7a4a2b')]
  for (const x of [-0.52, 0.52]) {
    line(tyre, 0.05, () => context.arc(x, -0.34, 0.32, 0, 2 * Math.PI))
    line(metal, 0.016, () => context.arc(x, -0.34, 0.285, 0, 2 * Math.PI))
    for (let spoke = 0; spoke < 14; spoke += 1) {
      const turn = (spoke / 14) * 2 * Math.PI
      line(metal, 0.006, () => {
        context.moveTo(x, -0.34)
        context.lineTo(x + Math.cos(turn) * 0.28, -0.34 + Math.sin(turn) * 0.28)
      })
    }
    line(dark, 0.026, () => context.arc(x, -0.34, 0.375, Math.PI * 1.12, Math.PI * 1.8))
    disc(metal, x, -0.34, 0.032)
  }
  const tube = (fromX: number, fromY: number, toX: number, toY: number, wide = 0.046): void => {
    for (const [tone, width, lift] of [
      [dark, wide, 0],
      [base, wide * 0.8, -0.004],
      [light, wide * 0.22, -0.012],
    ] as const) {
      line(tone, width, () => {
        context.moveTo(fromX, fromY + lift)
        context.lineTo(toX, toY + lift)
      })
    }
  }
  tube(-0.52, -0.34, -0.08, -0.34, 0.03)
  tube(-0.52, -0.34, -0.24, -0.74, 0.03)
  tube(-0.08, -0.34, -0.27, -0.84)
  tube(-0.25, -0.76, 0.32, -0.79)
  tube(-0.08, -0.34, 0.34, -0.7)
  tube(0.3, -0.88, 0.37, -0.64, 0.05)
  tube(0.37, -0.64, 0.52, -0.34, 0.034)
  disc(metal, -0.08, -0.34, 0.085)
  disc(dark, -0.08, -0.34, 0.06)
  line(metal, 0.024, () => {
    context.moveTo(-0.08, -0.34)
    context.lineTo(0.03, -0.22)
  })
  box(tyre, -0.03, -0.225, 0.12, 0.03, 0.015)
  pen.blob(leather, [-0.42, -0.88], [-0.34, -0.94], [-0.12, -0.9], [-0.2, -0.86], [-0.34, -0.84])
  line(metal, 0.03, () => {
    context.moveTo(0.31, -0.86)
    context.quadraticCurveTo(0.28, -1, 0.4, -0.99)
    context.quadraticCurveTo(0.47, -0.98, 0.4, -0.9)
  })
  box(hex('#a9743f'), 0.4, -0.86, 0.26, 0.2, 0.03)
  for (let weave = 0; weave < 4; weave += 1) box(hex('#875a2e'), 0.4, -0.83 + weave * 0.045, 0.26, 0.012)
  for (let bloom = 0; bloom < 6; bloom += 1) {
    disc(
      hex(['#f2c53d', '#ea7fa5', '#f4f1ea'][bloom % 3] ?? '#f2c53d'),
      0.43 + bloom * 0.04,
      -0.89 - random() * 0.06,
      0.032,
    )
  }
}

export function car(pen: Pen): void {
  const { context, disc, box, blob, shape } = pen
  const { base, light, dark } = tones(pen.main(hex('#2f8f86')))
  blob(dark, [-1, -0.18], [-1.02, -0.5], [-0.5, -0.56], [0.55, -0.54], [1.02, -0.46], [1.02, -0.16])
  blob(base, [-1, -0.24], [-1.02, -0.52], [-0.5, -0.58], [0.55, -0.56], [1.02, -0.48], [1.02, -0.26])
  blob(base, [-0.62, -0.5], [-0.5, -0.94], [0.22, -0.96], [0.5, -0.52])
  shape(hex('#cfe6ee'), [-0.5, -0.56], [-0.41, -0.85], [-0.12, -0.87], [-0.12, -0.56])
  shape(hex('#bcd8e4'), [-0.06, -0.56], [-0.06, -0.87], [0.17, -0.86], [0.37, -0.56])
  pen.fill(light, () => context.roundRect(-0.92, -0.49, 1.86, 0.035, 0.02), 0.8)
  box(hex('#e9edf0'), -1.02, -0.27, 2.04, 0.06, 0.03)
  disc(hex('#fff1b8'), 0.95, -0.4, 0.055, 0.065)
  disc(hex('#c43a33'), -0.97, -0.4, 0.04, 0.05)
  for (const x of [-0.56, 0.56]) {
    disc(hex('#20222b'), x, -0.2, 0.21)
    disc(hex('#c9d1d8'), x, -0.2, 0.115)
    disc(hex('#7c858f'), x, -0.2, 0.05)
  }
}

export function sailboat(pen: Pen): void {
  const { context, shape, blob, line } = pen
  const hull = tones(pen.main(hex('#8c4a32')))
  const sail = hex('#fbf3e0')
  line(hex('#5a3a28'), 0.03, () => {
    context.moveTo(0, -0.16)
    context.lineTo(0, -1.12)
  })
  pen.fill(sail, () => {
    context.moveTo(0.03, -1.08)
    context.quadraticCurveTo(0.42, -0.66, 0.5, -0.26)
    context.lineTo(0.03, -0.24)
  })
  pen.fill(hex('#e6d9bd'), () => {
    context.moveTo(-0.03, -0.98)
    context.quadraticCurveTo(-0.26, -0.6, -0.4, -0.27)
    context.lineTo(-0.03, -0.25)
  })
  shape(hull.base, [0, -1.2], [0.16, -1.16], [0, -1.12])
  blob(hull.base, [-0.62, -0.2], [-0.4, 0.03], [0.36, 0.03], [0.68, -0.24], [0.3, -0.17], [-0.3, -0.16])
  blob(hull.light, [-0.62, -0.2], [-0.5, -0.12], [0.42, -0.12], [0.68, -0.24], [0.3, -0.18], [-0.3, -0.17])
  pen.fill(hex('#ffffff'), () => context.ellipse(0, 0.02, 0.66, 0.025, 0, 0, 2 * Math.PI), 0.45)
}

export function balloon(pen: Pen): void {
  const { context, line, box } = pen
  const { base, light, dark } = tones(pen.main(hex('#e2573d')))
  const stripes = [dark, base, hex('#f7e3b5'), light, hex('#f7e3b5'), base, dark]
  for (const [index, tone] of stripes.entries()) {
    const half = 0.42 * (1 - index / 3.5)
    const next = 0.42 * (1 - (index + 1) / 3.5)
    pen.fill(tone, () => {
      context.moveTo(-half * 0.24, -0.3)
      context.bezierCurveTo(-half * 1.15, -0.62, -half * 1.4, -1.12, 0, -1.14)
      context.bezierCurveTo(-next * 1.4, -1.12, -next * 1.15, -0.62, -next * 0.24, -0.3)
    })
  }
  for (const x of [-0.09, 0.09]) {
    line(hex('#5a4632'), 0.01, () => {
      context.moveTo(x, -0.3)
      context.lineTo(x * 0.75, -0.14)
    })
  }
  box(hex('#9a6a3a'), -0.085, -0.15, 0.17, 0.14, 0.03)
  box(hex('#74492a'), -0.095, -0.16, 0.19, 0.03, 0.015)
}

export function rocket(pen: Pen): void {
  const { context, shape, disc, blob } = pen
  const { base, dark } = tones(pen.main(hex('#d9473c')))
  for (const [reach, colour] of [
    [0.34, '#ff8a3c'],
    [0.24, '#ffc44d'],
    [0.14, '#fff3c4'],
  ] as const) {
    blob(hex(colour), [-0.12, -0.2], [0, reach * 0.9], [0.12, -0.2])
  }
  shape(base, [-0.16, -0.5], [-0.36, -0.18], [-0.32, -0.1], [-0.12, -0.26])
  shape(dark, [0.16, -0.5], [0.36, -0.18], [0.32, -0.1], [0.12, -0.26])
  pen.fill(hex('#f0f1ee'), () => {
    context.moveTo(-0.14, -0.2)
    context.bezierCurveTo(-0.26, -0.6, -0.16, -1, 0, -1.18)
    context.bezierCurveTo(0.16, -1, 0.26, -0.6, 0.14, -0.2)
  })
  pen.fill(hex('#c3c9cf'), () => {
    context.moveTo(0.05, -0.2)
    context.bezierCurveTo(0.15, -0.6, 0.1, -1, 0, -1.18)
    context.bezierCurveTo(0.16, -1, 0.26, -0.6, 0.14, -0.2)
  })
  pen.fill(base, () => {
    context.moveTo(-0.128, -0.96)
    context.quadraticCurveTo(-0.07, -1.1, 0, -1.18)
    context.quadraticCurveTo(0.07, -1.1, 0.128, -0.96)
  })
  disc(hex('#39475f'), 0, -0.7, 0.105)
  disc(hex('#8fd0ea'), 0, -0.7, 0.08)
  disc(lighter(hex('#8fd0ea'), 0.5), -0.025, -0.73, 0.03)
  pen.box(dark, -0.14, -0.26, 0.28, 0.06, 0.02)
}
