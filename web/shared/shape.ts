import { type Fields, isFields, textAt } from '@coinslot/client/json-fields'

export { type Fields, isFields }

/** An answer that does not fit the contract. The message names the member, never its value. */
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

/** The string, or null if it is missing or of another type. */
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

/** The value if it is one of the options, else the fallback. */
export function oneOf<const Option extends string>(
  value: unknown,
  options: readonly Option[],
  fallback: Option,
): Option {
  return options.find((option) => option === value) ?? fallback
}
