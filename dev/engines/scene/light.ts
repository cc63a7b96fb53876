import { type Colour, hex } from './colour.ts'

/** The colours of one time of day. */
export interface Light {
  name: 'day' | 'dawn' | 'sunset' | 'night' | 'storm'
  top: Colour
  middle: Colour
  horizon: Colour
  sun: Colour
  cloud: Colour
  cloudShade: Colour
  /** What far land fades into, and what near land darkens towards. */
  haze: Colour
  shade: Colour
  /** 0 bright to 1 dark: how much `shade` is in everything near. */
  dimness: number
}

const light = (name: Light['name'], colours: string, dimness: number): Light => {
  const [top, middle, horizon, sun, cloud, cloudShade, haze, shade] = colours.split(' ').map(hex)
  if (!top || !middle || !horizon || !sun || !cloud || !cloudShade || !haze || !shade) {
    throw new Error(`the light ${name} lacks a colour`)
  }
  return { name, top, middle, horizon, sun, cloud, cloudShade, haze, shade, dimness }
}

export const LIGHTS = {
  day: light('day', '#2f7fd1 #7cbdec #e4f2ee #fff8df #ffffff #c3d8ea #b5d3df #1c3f5c', 0.08),
  dawn: light('dawn', '#4a64ad #e8a0b4 #ffdcae #fff3cf #ffe6dc #d79bb5 #dcaeba #37365f', 0.3),
  sunset: light('sunset', '#2b3576 #d8607a #ffc46e #fff0b8 #ffb58a #a3507f #c9788c #2a2149', 0.42),
  night: light('night', '#050a20 #11235a #3c5f9e #f6f2dc #3b5288 #18264f #33508c #060b22', 0.68),
  storm: light('storm', '#3a4656 #76858f #c9cfcb #e9ecdf #9aa5ac #56626d #9aa7ac #20282f', 0.34),
}
