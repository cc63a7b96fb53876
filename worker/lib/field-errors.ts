import type * as z from 'zod'
import type { FieldError } from '../errors.ts'

/** Faults of a request go back to its caller, up to these bounds. */
const MAX_ERRORS = 20
const MAX_CHARACTERS = 100

const short = (text: string): string => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text)

/** One entry per fault, with the place in the request, below `prefix` if given; a refused member is named itself. */
export function fieldErrors(error: z.core.$ZodError, prefix: readonly string[] = []): FieldError[] {
  return error.issues
    .flatMap((issue): FieldError[] => {
      const at = (...key: string[]): string => short([...prefix, ...issue.path.map(String), ...key].join('.'))
      if (issue.code !== 'unrecognized_keys') return [{ path: at(), message: short(issue.message) }]
      return issue.keys.map((key) => ({ path: at(key), message: 'Unknown member' }))
    })
    .slice(0, MAX_ERRORS)
}
