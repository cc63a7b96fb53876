import { beforeAll, describe, expect, it } from 'vitest'
import { ARROWS } from '../helpers/arrows.ts'
import {
  expectedTrail,
  type FaultPoint,
  type Kind,
  nameOf,
  playFaultPoints,
  type Trail,
} from '../stack/fault-points.ts'

/** All of them: every arrow, moment and way. A text has no file and no object. */
const pointsOf = (kind: Kind): FaultPoint[] =>
  ARROWS.filter((arrow) => kind !== 'text' || (arrow !== 'file' && arrow !== 'object')).flatMap((arrow) =>
    (['before', 'after', 'late'] as const).flatMap((moment) =>
      (['header', 'status', 'tick'] as const).map((way) => ({ kind, arrow, moment, way })),
    ),
  )

describe.each(['text', 'image', 'sound'] as const)('the worker is killed at an arrow of the purchase of %s', (kind) => {
  const points = pointsOf(kind)
  let trails: Map<FaultPoint, Trail>
  beforeAll(async () => {
    trails = await playFaultPoints(points)
  }, 900_000)

  it.each(points.map((point) => [nameOf(point), point] as const))('behavior: %s', (_name, point) => {
    expect(trails.get(point)).toEqual(expectedTrail(point))
  })
})
