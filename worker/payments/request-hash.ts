import { AppError } from '../errors.ts'
import { sha256 } from '../lib/digest.ts'

/** No valid request nests deeper than a few levels; without a bound a hostile body exhausts the stack. */
const MAX_DEPTH = 64

/**
 * JSON with sorted keys and no white space (RFC 8785): the same text for the same value, however it was written.
 * Throws `AppError invalid_request` when it is nested deeper than 64 levels.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new AppError('invalid_request', { detail: 'The body is nested too deeply.' })
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`
  const members = new Map(Object.entries(value))
  let json = ''
  // Plain sort() compares UTF-16 code units, as the RFC wants.
  for (const key of [...members.keys()].sort()) {
    json += `${json === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(members.get(key), depth + 1)}`
  }
  return `{${json}}`
}

/** SHA-256, as 64 hex digits, of the canonical JSON of a parsed body as it was sent: before trimming and defaults. */
export async function requestHash(body: unknown): Promise<string> {
  return sha256(canonicalJson(body))
}
