import type * as z from 'zod'

/** Every fault of a configuration at once: names of variables and what is wrong, never a value. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The configuration has ${faults.length} fault(s): ${faults.join(' · ')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/** Reads variables one by one and gathers the faults, so that the first one hides no other. */
export interface EnvReader {
  readonly faults: readonly string[]
  fault(name: string, message: string): void
  /** The trimmed text of a variable; undefined when it is not set or empty. */
  text(name: string): string | undefined
  /** Undefined when the variable is not set, or when it is faulty, which is noted. */
  optional<T>(name: string, schema: z.ZodType<T>): T | undefined
  /** As `optional`, and a missing variable is a fault. */
  required<T>(name: string, schema: z.ZodType<T>): T | undefined
}

/** Numbers and booleans of `wrangler.toml` are taken as their text; bindings are not variables. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const text = String(value).trim()
  return text === '' ? undefined : text
}

export function makeEnvReader(env: Record<string, unknown>): EnvReader {
  const faults: string[] = []
  const fault = (name: string, message: string): void => void faults.push(`${name} ${message}`)
  const text = (name: string): string | undefined => textOf(env[name])
  const optional = <T>(name: string, schema: z.ZodType<T>): T | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    const result = schema.safeParse(value)
    if (result.success) return result.data
    fault(name, result.error.issues[0]?.message ?? 'is not valid')
    return undefined
  }
  return {
    faults,
    fault,
    text,
    optional,
    required(name, schema) {
      if (text(name) === undefined) fault(name, 'is missing')
      return optional(name, schema)
    },
  }
}
