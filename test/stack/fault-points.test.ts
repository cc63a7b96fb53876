import { beforeAll, describe, expect, it } from 'vitest'
import { ARROWS, type Arrow } from '../helpers/arrows.ts'
import { expectedTrail, type FaultPoint, nameOf, playFaultPoints, type Trail } from './fault-points.ts'

const text: FaultPoint[] = ARROWS.filter((arrow) => arrow !== 'file' && arrow !== 'object').flatMap((arrow) =>
  (['before', 'after'] as const).flatMap((moment) =>
    (['header', 'status', 'tick'] as const).map((way) => ({ kind: 'text' as const, arrow, moment, way })),
  ),
)
/** Calls that reach their part when the worker that sent them is dead. */
const late: FaultPoint[] = (['claim', 'settle', 'settled mark', 'create', 'record'] satisfies Arrow[]).flatMap(
  (arrow) =>
    (['header', 'tick'] as const).map((way) => ({ kind: 'text' as const, arrow, moment: 'late' as const, way })),
)
const media: FaultPoint[] = (['image', 'sound'] as const).flatMap((kind) => [
  { kind, arrow: 'create', moment: 'after', way: 'header' },
  { kind, arrow: 'file', moment: 'after', way: 'status' },
  { kind, arrow: 'object', moment: 'after', way: 'tick' },
])
const points = [...text, ...late, ...media]

let trails: Map<FaultPoint, Trail>
beforeAll(async () => {
  trails = await playFaultPoints(points)
}, 400_000)

describe('the worker is killed at an arrow of the purchase', () => {
  it.each(points.map((point) => [nameOf(point), point] as const))('behavior: %s', (_name, point) => {
    expect(trails.get(point)).toEqual(expectedTrail(point))
  })
})
