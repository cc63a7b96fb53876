/** An object of unknown members. */
export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isText = (value: unknown): value is string => typeof value === 'string'

export const isUuid = (value: unknown): value is string =>
  isText(value) && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)

/** The string at `key`, or undefined. */
export function textAt(from: Fields, key: string): string | undefined {
  const value = from[key]
  return isText(value) ? value : undefined
}

/** The object at `key`, or an empty one. */
export function fieldsAt(from: Fields, key: string): Fields {
  const value = from[key]
  return isFields(value) ? value : {}
}

/** The value of a JSON text; undefined when it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How many levels deep JSON may nest that the service takes. */
export const MAX_DEPTH = 32

/** True if a value nests deeper than the service takes. Code that walks deeper ones could exhaust the stack. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH) return true
  return typeof value === 'object' && value !== null && Object.values(value).some((one) => isTooDeep(one, depth + 1))
}
