import { beforeAll, describe, expect, it } from 'vitest'
import { ARROWS } from '../helpers/arrows.ts'
import { expectedTrail, type FaultPoint, nameOf, playFaultPoints, type Trail } from '../stack/fault-points.ts'

/** All of them: every arrow, moment and way, for what is stored in the row and what is stored as a file. */
const points: FaultPoint[] = (['text', 'image', 'sound'] as const).flatMap((kind) =>
  ARROWS.filter((arrow) => kind !== 'text' || (arrow !== 'file' && arrow !== 'object')).flatMap((arrow) =>
    (['before', 'after', 'late'] as const).flatMap((moment) =>
      (['header', 'status', 'tick'] as const).map((way) => ({ kind, arrow, moment, way })),
    ),
  ),
)

let trails: Map<FaultPoint, Trail>
beforeAll(async () => {
  trails = await playFaultPoints(points)
}, 1_800_000)

describe('the worker is killed at an arrow of the purchase', () => {
  it.each(points.map((point) => [nameOf(point), point] as const))('behavior: %s', (_name, point) => {
    expect(trails.get(point)).toEqual(expectedTrail(point))
  })
})
