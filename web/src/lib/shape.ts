import { type Fields, isFields, textAt } from '@coinslot/client/json-fields'

export { type Fields, isFields }

/** An answer that does not have the shape the contract gives it; the message names the member, never its value. */
export class ShapeError extends Error {
  constructor(path: string, expected: string) {
    super(`${path}: expected ${expected}`)
    this.name = 'ShapeError'
  }
}

/** The value as an object, or a ShapeError. */
export function fields(value: unknown, path = 'body'): Fields {
  if (!isFields(value)) throw new ShapeError(path, 'an object')
  return value
}

export function str(from: Fields, key: string): string {
  const value = from[key]
  if (typeof value !== 'string') throw new ShapeError(key, 'a string')
  return value
}

export function num(from: Fields, key: string): number {
  const value = from[key]
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ShapeError(key, 'a number')
  return value
}

export function flag(from: Fields, key: string): boolean {
  return from[key] === true
}

/** The string, or null where it is missing, null or of another type. */
export function maybeStr(from: Fields, key: string): string | null {
  return textAt(from, key) ?? null
}

export function maybeNum(from: Fields, key: string): number | null {
  const value = from[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function maybeFields(from: Fields, key: string): Fields | null {
  const value = from[key]
  return isFields(value) ? value : null
}

/** Every member of the list at `key`, read by `read`. */
export function list<Item>(from: Fields, key: string, read: (value: unknown) => Item): Item[] {
  const value = from[key]
  if (!Array.isArray(value)) throw new ShapeError(key, 'a list')
  return value.map((item: unknown) => read(item))
}

/** One of the given words, or the fallback. */
export function oneOf<const Word extends string>(value: unknown, words: readonly Word[], fallback: Word): Word {
  return words.find((word) => word === value) ?? fallback
}
