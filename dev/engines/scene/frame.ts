import type { SKRSContext2D } from '@napi-rs/canvas'

/** The canvas and its measures, all in pixels. */
export interface Frame {
  context: SKRSContext2D
  width: number
  height: number
  /** A thousandth of the shorter side: sizes are given in it. */
  unit: number
  horizon: number
  sun: { x: number; y: number }
}
