import type { Plugin } from 'vite'

/** Says whether a value is allowed, or what it must be. */
export type EnvRule = (value: string) => string | null

export const addressRule: EnvRule = (value) =>
  /^0x[0-9a-fA-F]{40}$/.test(value) && !/^0x0{40}$/.test(value) ? null : 'must be an address (0x and 40 hex digits)'

export const oneOf =
  (...allowed: readonly string[]): EnvRule =>
  (value) =>
    allowed.includes(value) ? null : `must be ${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}`

type Rules = Readonly<Record<string, EnvRule>>

/**
 * Checks the variables of a build. Throws one error that names every required variable that is missing and every value that is not
 * allowed.
 */
export function checkEnv(
  env: Readonly<Record<string, string | undefined>>,
  required: Rules,
  optional: Rules = {},
): void {
  const faults = Object.entries({ ...optional, ...required }).flatMap(([name, rule]) => {
    const value = env[name] ?? ''
    if (value === '') return name in required ? [`${name} is missing`] : []
    const fault = rule(value)
    return fault === null ? [] : [`${name} ${fault}`]
  })
  if (faults.length > 0) throw new Error(`Variables of the build:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
}

/** Fails a build whose variables are missing or wrong, before anything is built. */
export function requiredEnv(...[required, optional]: [Rules, Rules?]): Plugin {
  return {
    name: 'coinslot-required-env',
    apply: 'build',
    buildStart: () => checkEnv(process.env, required, optional),
  }
}
