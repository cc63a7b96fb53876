import * as z from 'zod'
import { once } from '../../../db/once.ts'

/** One input as both sides describe it: a part of JSON Schema. Cog, the provider's packager, puts choices behind a reference. */
const schemas = once(() => {
  const bounds = { minimum: z.number().optional(), maximum: z.number().optional(), maxLength: z.number().optional() }
  const plain = z.object({ type: z.string().optional(), enum: z.array(z.unknown()).optional(), ...bounds })
  const part = plain.extend({ $ref: z.string().optional() })
  const field = part.extend({
    default: z.unknown().optional(),
    allOf: z.array(part).optional(),
    anyOf: z.array(part).optional(),
  })
  const input = z.object({ properties: z.record(z.string(), field), required: z.array(z.string()).default([]) })
  return { plain, input }
})

type Input = z.infer<ReturnType<typeof schemas>['input']>
type Field = Input['properties'][string]
type Plain = z.infer<ReturnType<typeof schemas>['plain']>

/** The faults found, one line each, and whether a run of what we sell would fail for them. */
export interface InputMismatch {
  faults: string[]
  runsFail: boolean
}

/**
 * Where the provider's inputs of a model no longer take what we send: names, types, choices and bounds. What the provider
 * has beyond that, such as an optional input that we never send, does not count. Where the provider shows no schema that can be
 * compared, nothing is known of the runs. `ours` is a model's JSON Schema; `theirs` the schemas by name that the provider shows,
 * `Input` among them.
 *
 * @example inputMismatch({ properties: { steps: { type: 'integer', maximum: 8 } } }, { Input: { properties: { steps: { type: 'integer', maximum: 4 } } } })
 * // { faults: ['`steps`: we send up to 8, the provider takes up to 4'], runsFail: true }
 */
export function inputMismatch(ours: Record<string, unknown>, theirs: Record<string, unknown>): InputMismatch {
  const shown = schemas().input.safeParse(theirs['Input'])
  if (!shown.success) return { faults: ['the provider shows no `Input` schema to compare with'], runsFail: false }
  const faults = inputFaults(schemas().input.parse(ours), shown.data, theirs)
  return { faults, runsFail: faults.length > 0 }
}

function inputFaults(wanted: Input, { properties, required }: Input, theirs: Record<string, unknown>): string[] {
  const always = Object.entries(wanted.properties).flatMap(([name, { default: fallback }]) =>
    fallback === undefined && !wanted.required.includes(name) ? [] : [name],
  )
  const missing = required.filter((name) => !always.includes(name))
  return [
    ...missing.map((name) => `\`${name}\`: the provider needs it, and we may not send it`),
    ...Object.entries(wanted.properties).flatMap(([name, field]) => {
      const taken = properties[name]
      const faults =
        taken === undefined ? ['the provider has no such input'] : leastFaults(field, alternatives(taken, theirs))
      return faults.map((fault) => `\`${name}\`: ${fault}`)
    }),
  ]
}

/** A field with what it refers to, once per alternative that it takes. */
function alternatives({ anyOf = [{}], ...field }: Field, theirs: Record<string, unknown>): Plain[] {
  return anyOf.map((alternative) => {
    const found = [field, ...(field.allOf ?? []), alternative].flatMap(({ $ref, ...part }) => {
      const target = $ref === undefined ? undefined : theirs[$ref.slice($ref.lastIndexOf('/') + 1)]
      const read = schemas().plain.safeParse(target)
      return read.success ? [part, read.data] : [part]
    })
    return Object.assign({}, ...found)
  })
}

/** Our input has to fit one of the alternatives: the one that fits best counts. An alternative `null` is never sent. */
function leastFaults(sent: Plain, taken: Plain[]): string[] {
  const faults = taken.filter(({ type }) => type !== 'null').map((one) => fieldFaults(sent, one))
  return faults.reduce((least, more) => (more.length < least.length ? more : least), faults[0] ?? [])
}

function fieldFaults(sent: Plain, taken: Plain): string[] {
  const isTaken =
    taken.type === undefined || taken.type === sent.type || (sent.type === 'integer' && taken.type === 'number')
  if (!isTaken) return [`we send ${sent.type}, the provider takes ${taken.type}`]
  return [...choiceFaults(sent, taken), ...boundFaults(sent, taken)]
}

function choiceFaults({ enum: sent }: Plain, { enum: taken }: Plain): string[] {
  if (taken === undefined) return []
  if (sent === undefined) return ['we send any value, the provider takes a choice of them']
  const refused = sent.filter((value) => !taken.includes(value))
  return refused.length === 0
    ? []
    : [`the provider does not take ${refused.map((value) => JSON.stringify(value)).join(', ')}`]
}

function boundFaults(sent: Plain, taken: Plain): string[] {
  const { minimum, maximum, maxLength } = taken
  const [low, high, long] = [sent.minimum ?? -Infinity, sent.maximum ?? Infinity, sent.maxLength ?? Infinity]
  return [
    ...(minimum !== undefined && low < minimum ? [`we send from ${low}, the provider takes from ${minimum}`] : []),
    ...(maximum !== undefined && high > maximum ? [`we send up to ${high}, the provider takes up to ${maximum}`] : []),
    ...(maxLength !== undefined && long > maxLength
      ? [`we send up to ${long} characters, the provider takes ${maxLength}`]
      : []),
  ]
}
