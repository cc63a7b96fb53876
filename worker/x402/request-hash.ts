import { canonicalJson } from '../../protocol/canonical-json.ts'
import { AppError } from '../errors.ts'
import { sha256 } from '../lib/digest.ts'

/** The canonical JSON of a parsed body as it was sent. Throws `AppError invalid_request` if it is nested deeper than 64 levels. */
export function canonicalRequest(body: unknown): string {
  try {
    return canonicalJson(body)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new AppError('invalid_request', { detail: 'The body is nested too deeply.' }, { cause })
  }
}

/** SHA-256, as 64 hex digits, of the canonical JSON of a parsed body as it was sent: before trimming and defaults. */
export async function requestHash(body: unknown): Promise<string> {
  return sha256(canonicalRequest(body))
}
