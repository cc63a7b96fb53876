import { between, pick, type Random } from '../random.ts'
import { type Colour, css, darker, hex, lighter, mix } from './colour.ts'
import type { Frame } from './frame.ts'
import { atDistance } from './land.ts'
import type { Plan } from './plan.ts'
import { drawStars } from './sky.ts'

/** Water from the horizon down: the sky and land mirrored, with waves and the path of the sun. */
export function drawWater({ context, width, height, horizon, unit, sun }: Frame, plan: Plan, random: Random): void {
  const depth = height - horizon
  const shown = Math.min(horizon, depth)
  context.save()
  context.translate(0, 2 * horizon)
  context.scale(1, -1)
  context.drawImage(context.canvas, 0, horizon - shown, width, shown, 0, horizon - shown, width, shown)
  context.restore()
  const named = plan.colours.find(([red, , blue]) => blue > red)
  const tint = named ?? mix(plan.light.top, hex('#1f6f86'), plan.light.name === 'day' ? 0.55 : 0.25)
  const gradient = context.createLinearGradient(0, horizon, 0, height)
  gradient.addColorStop(0, css(mix(tint, plan.light.horizon, 0.55), 0.35))
  gradient.addColorStop(0.35, css(tint, 0.62))
  gradient.addColorStop(1, css(darker(tint, 0.35), 0.9))
  context.fillStyle = gradient
  context.fillRect(0, horizon, width, depth)
  for (let index = 0; index < 420; index += 1) {
    const near = random() ** 1.6
    const y = horizon + depth * near
    const long = between(random, 18, 90) * unit * (0.25 + near)
    context.fillStyle = css(random() < 0.5 ? lighter(tint, 0.45) : darker(tint, 0.3), 0.05 + 0.2 * near * random())
    context.beginPath()
    context.ellipse(random() * width, y, long, (0.7 + 2.6 * near) * unit, 0, 0, 2 * Math.PI)
    context.fill()
  }
  for (let index = 0; index < 130; index += 1) {
    const near = random() ** 1.3
    const spread = (26 + 120 * near) * unit
    context.fillStyle = css(plan.light.sun, 0.55 * (1 - near * 0.6) * random())
    context.beginPath()
    context.ellipse(
      sun.x + between(random, -1, 1) * spread,
      horizon + depth * near,
      between(random, 8, 46) * unit * (0.3 + near),
      (0.8 + 1.8 * near) * unit,
      0,
      0,
      2 * Math.PI,
    )
    context.fill()
  }
}

/** A strip of beach along the lower edge, with a line of foam. */
export function drawShore({ context, width, height, unit }: Frame, plan: Plan, top: number): void {
  const sand = atDistance(hex('#e6c795'), plan, 0.02)
  const line = (x: number): number => top + Math.sin((x / width) * 3.6 + 0.6) * 26 * unit
  for (const [lift, fill] of [
    [10 * unit, css(hex('#ffffff'), 0.75)],
    [0, css(darker(sand, 0.12))],
    [-16 * unit, css(sand)],
  ] as const) {
    context.fillStyle = fill
    context.beginPath()
    context.moveTo(0, height)
    for (let x = 0; x <= width + 8; x += 8) context.lineTo(x, line(x) - lift)
    context.lineTo(width + 8, height)
    context.fill()
  }
}

/** Rows of buildings with lit windows, pale behind and dark in front, over a street. */
export function drawCity(frame: Frame, plan: Plan, random: Random): void {
  const { context, width, height, horizon, unit } = frame
  const walls = ['#8797ad', '#a98a86', '#7d8f98', '#b3a08a'].map(hex)
  for (let row = 0; row < 4; row += 1) {
    const near = row / 3
    const floor = horizon + (height - horizon) * near * 0.35
    for (let x = -40 * unit; x < width; ) {
      const wide = between(random, 60, 130) * unit * (0.7 + near * 0.7)
      const tall = between(random, 0.22, 0.62) * horizon * (1.05 - near * 0.42)
      const wall = atDistance(walls[Math.floor(random() * walls.length)] ?? hex('#8797ad'), plan, (1 - near) * 0.85)
      drawBuilding(
        frame,
        plan,
        random,
        { x, y: floor - tall, wide: wide - 4 * unit, tall: tall + 40 * unit },
        darker(wall, near * 0.35),
        near,
      )
      x += wide
    }
  }
  const street = atDistance(hex('#4a4f5c'), plan, 0.05)
  const top = horizon + (height - horizon) * 0.36
  const gradient = context.createLinearGradient(0, top, 0, height)
  gradient.addColorStop(0, css(lighter(street, 0.14)))
  gradient.addColorStop(1, css(darker(street, 0.35)))
  context.fillStyle = gradient
  context.fillRect(0, top, width, height - top)
  context.fillStyle = css(lighter(street, 0.3), 0.8)
  context.fillRect(0, top, width, 7 * unit)
}

function drawBuilding(
  { context, unit }: Frame,
  { light }: Plan,
  random: Random,
  box: { x: number; y: number; wide: number; tall: number },
  wall: Colour,
  near: number,
): void {
  const gradient = context.createLinearGradient(box.x, 0, box.x + box.wide, 0)
  gradient.addColorStop(0, css(lighter(wall, 0.12)))
  gradient.addColorStop(1, css(darker(wall, 0.18)))
  context.fillStyle = gradient
  context.fillRect(box.x, box.y, box.wide, box.tall)
  if (random() < 0.3) context.fillRect(box.x + box.wide * 0.4, box.y - box.tall * 0.09, box.wide * 0.2, box.tall * 0.1)
  const dark = light.dimness > 0.25
  const step = (13 + 9 * near) * unit
  for (let y = box.y + step; y < box.y + box.tall - step; y += step * 1.35) {
    for (let x = box.x + step * 0.6; x < box.x + box.wide - step * 0.7; x += step) {
      const lit = dark && random() < 0.45
      const glass = lit
        ? pick(random, [hex('#ffd98a'), hex('#ffc46a'), hex('#ffe9b8')])
        : darker(wall, dark ? 0.3 : 0.22)
      context.fillStyle = css(glass, lit ? 0.55 + 0.4 * near : 0.55)
      context.fillRect(x, y, step * 0.52, step * 0.72)
    }
  }
}

/** A nebula, stars and a planet with a ring. */
export function drawSpace(frame: Frame, plan: Plan, random: Random): void {
  const { context, width, height, unit } = frame
  context.fillStyle = css(hex('#05071a'))
  context.fillRect(0, 0, width, height)
  const tones = [...plan.colours, ...['#5b3fa8', '#1f6fb0', '#c2467f', '#e8895a'].map(hex)].slice(0, 4)
  for (let index = 0; index < 46; index += 1) {
    const along = random()
    const x = width * (along + between(random, -0.18, 0.18))
    const y = height * (0.25 + along * 0.5 + between(random, -0.2, 0.2))
    const radius = between(random, 90, 300) * unit
    const tone = tones[index % tones.length] ?? hex('#5b3fa8')
    const glow = context.createRadialGradient(x, y, 0, x, y, radius)
    glow.addColorStop(0, css(tone, 0.16))
    glow.addColorStop(1, css(tone, 0))
    context.fillStyle = glow
    context.fillRect(x - radius, y - radius, radius * 2, radius * 2)
  }
  drawStars({ ...frame, horizon: height }, random, 700)
  drawPlanet(frame, plan, random, width * between(random, 0.6, 0.78), height * between(random, 0.22, 0.36), 130 * unit)
}

function drawPlanet({ context, unit }: Frame, plan: Plan, random: Random, x: number, y: number, radius: number): void {
  const body = plan.colours[0] ?? pick(random, [hex('#d98f5c'), hex('#6fa6c9'), hex('#c9b07a'), hex('#a87bc0')])
  const shade = context.createRadialGradient(x - radius * 0.45, y - radius * 0.45, radius * 0.1, x, y, radius * 1.15)
  shade.addColorStop(0, css(lighter(body, 0.4)))
  shade.addColorStop(0.6, css(body))
  shade.addColorStop(1, css(darker(body, 0.85)))
  context.save()
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.fillStyle = shade
  context.fill()
  context.clip()
  for (let band = -4; band <= 4; band += 1) {
    context.fillStyle = css(band % 2 === 0 ? lighter(body, 0.3) : darker(body, 0.3), 0.16)
    context.beginPath()
    context.ellipse(x, y + band * radius * 0.24, radius * 1.2, radius * 0.09, -0.3, 0, 2 * Math.PI)
    context.fill()
  }
  context.restore()
  context.strokeStyle = css(lighter(body, 0.5), 0.7)
  context.lineWidth = 9 * unit
  context.beginPath()
  context.ellipse(x, y, radius * 1.75, radius * 0.42, -0.3, -0.15, Math.PI + 0.15)
  context.stroke()
}

/** Flowing bands of colour, for prompts that name nothing that can be drawn. */
export function drawRibbons({ context, width, height, unit }: Frame, plan: Plan, random: Random): void {
  const sets: readonly [string[], ...string[][]] = [
    ['#12355b', '#1d7874', '#f4c95d', '#ee6c4d', '#f7ede2'],
    ['#2b1d52', '#7b2d82', '#e0527e', '#ffb26b', '#ffe8c9'],
    ['#0b3b46', '#1c7c7d', '#76b39d', '#f2d388', '#fff4dc'],
  ]
  const own = plan.colours.flatMap((colour) => [darker(colour, 0.35), colour, lighter(colour, 0.4)])
  const tones = own.length >= 3 ? own : pick(random, sets).map(hex)
  const backdrop = context.createLinearGradient(0, 0, width, height)
  backdrop.addColorStop(0, css(tones[0] ?? hex('#12355b')))
  backdrop.addColorStop(1, css(mix(tones[0] ?? hex('#12355b'), tones[1] ?? hex('#1d7874'), 0.8)))
  context.fillStyle = backdrop
  context.fillRect(0, 0, width, height)
  const [pace, sway] = [between(random, 1.2, 2.4), between(random, 0.12, 0.24)]
  for (let band = 0; band < 11; band += 1) {
    const base = height * (0.04 + band * 0.09)
    const wave = (x: number, drift: number): number =>
      base +
      drift +
      Math.sin((x / width) * pace * 3 + band * 0.42) * height * sway +
      Math.sin((x / width) * 7 + band) * 14 * unit
    const tone = tones[(band * 2 + 1) % tones.length] ?? hex('#ee6c4d')
    const gradient = context.createLinearGradient(0, 0, width, 0)
    gradient.addColorStop(0, css(darker(tone, 0.2), 0.92))
    gradient.addColorStop(0.5, css(lighter(tone, 0.16), 0.92))
    gradient.addColorStop(1, css(darker(tone, 0.12), 0.92))
    context.fillStyle = gradient
    context.shadowColor = 'rgba(5,8,25,0.35)'
    context.shadowBlur = 26 * unit
    context.beginPath()
    for (let x = -10; x <= width + 10; x += 10) context.lineTo(x, wave(x, 0))
    for (let x = width + 10; x >= -10; x -= 10)
      context.lineTo(x, wave(x, (70 + 34 * Math.sin(x / width + band)) * unit))
    context.fill()
  }
  context.shadowBlur = 0
}
