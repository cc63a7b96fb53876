import type { SKRSContext2D } from '@napi-rs/canvas'
import { type Colour, hex, mix } from './colour.ts'

/** The canvas and its measures in pixels. */
export interface Frame {
  context: SKRSContext2D
  width: number
  height: number
  /** A thousandth of the shorter side; sizes are multiples of it. */
  unit: number
  horizon: number
  sun: { x: number; y: number }
}

/** The colours of one time of day. */
export interface Light {
  name: 'day' | 'dawn' | 'sunset' | 'night' | 'storm'
  top: Colour
  horizon: Colour
  sun: Colour
  cloud: Colour
  /** Near things are mixed with this colour, by `dimness` (0 bright to 1 dark). */
  shade: Colour
  dimness: number
  /** Height of the sun or moon: 0 is the upper edge, 1 the horizon. */
  sunHeight: number
}

const light = (
  name: Light['name'],
  colours: readonly [string, string, string, string, string],
  dimness: number,
  sunHeight: number,
): Light => {
  const [top, horizon, sun, cloud, shade] = colours
  return {
    name,
    top: hex(top),
    horizon: hex(horizon),
    sun: hex(sun),
    cloud: hex(cloud),
    shade: hex(shade),
    dimness,
    sunHeight,
  }
}

export const LIGHTS = {
  day: light('day', ['#2f7fd1', '#e4f2ee', '#fff8df', '#ffffff', '#1c3f5c'], 0.08, 0.24),
  dawn: light('dawn', ['#4a64ad', '#ffdcae', '#fff3cf', '#ffe6dc', '#37365f'], 0.3, 0.72),
  sunset: light('sunset', ['#2b3576', '#ffc46e', '#fff0b8', '#ffb58a', '#2a2149'], 0.42, 0.84),
  night: light('night', ['#050a20', '#3c5f9e', '#f6f2dc', '#3b5288', '#060b22'], 0.68, 0.26),
  storm: light('storm', ['#3a4656', '#c9cfcb', '#e9ecdf', '#9aa5ac', '#20282f'], 0.34, 0.3),
}

/** A colour at a distance (0 near, 1 at the horizon) in this light. */
export const atDistance = (colour: Colour, light: Light, distance: number): Colour =>
  mix(mix(colour, light.shade, light.dimness), light.horizon, distance * 0.7)
