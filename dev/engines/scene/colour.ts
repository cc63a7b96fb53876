/** Red, green, blue from 0 to 255. */
export type Colour = readonly [number, number, number]

export function hex(text: string): Colour {
  const value = Number.parseInt(text.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** `share` of `to` in `from`: 0 is `from`, 1 is `to`. */
export function mix(from: Colour, to: Colour, share: number): Colour {
  const part = (index: 0 | 1 | 2): number => from[index] + (to[index] - from[index]) * share
  return [part(0), part(1), part(2)]
}

export function css([red, green, blue]: Colour, alpha = 1): string {
  return `rgba(${Math.round(red)},${Math.round(green)},${Math.round(blue)},${alpha})`
}

const WHITE: Colour = [255, 255, 255]
const BLACK: Colour = [8, 8, 24]

export const lighter = (colour: Colour, share: number): Colour => mix(colour, WHITE, share)
export const darker = (colour: Colour, share: number): Colour => mix(colour, BLACK, share)

const NAMES: Record<string, string> = {
  red: '#d63b35',
  crimson: '#b5213c',
  orange: '#ee8434',
  yellow: '#f2c53d',
  golden: '#e0a92e',
  gold: '#e0a92e',
  green: '#4f9d5b',
  emerald: '#1f8f6a',
  turquoise: '#2fb5b0',
  teal: '#23827f',
  cyan: '#38b6cf',
  blue: '#3670c9',
  navy: '#22366f',
  purple: '#7d4bb0',
  violet: '#8a5cc9',
  pink: '#ea7fa5',
  magenta: '#c93a8c',
  brown: '#8a5a3b',
  black: '#2c2d38',
  white: '#f4f1ea',
  grey: '#8d939c',
  gray: '#8d939c',
  silver: '#b9c0c8',
}

export interface ColourWord {
  colour: Colour
  /** Its position in the text. */
  at: number
}

/** The colour words of a text, in their order. */
export function colourWords(text: string): ColourWord[] {
  const found: ColourWord[] = []
  for (const match of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    const name = Object.hasOwn(NAMES, match[0]) ? NAMES[match[0]] : undefined
    if (name !== undefined) found.push({ colour: hex(name), at: match.index })
  }
  return found
}
