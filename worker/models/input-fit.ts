import * as z from 'zod'
import { once } from '../../db/once.ts'

/** What both sides say of one input: a part of JSON Schema. Cog, the provider's packager, puts choices behind a reference. */
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

type Field = z.infer<ReturnType<typeof schemas>['input']>['properties'][string]
type Plain = z.infer<ReturnType<typeof schemas>['plain']>

/**
 * Where the provider's inputs of a model no longer take what we send: names, types, choices and bounds, one line each. Empty
 * when they fit. `ours` is a model's JSON Schema; `theirs` the schemas by name that the provider shows, `Input` among them.
 *
 * @example inputFaults({ properties: { steps: { type: 'integer', maximum: 8 } } }, { Input: { properties: { steps: { type: 'integer', maximum: 4 } } } })
 * // ['`steps`: we send up to 8, the provider takes up to 4']
 */
export function inputFaults(ours: Record<string, unknown>, theirs: Record<string, unknown>): string[] {
  const { input } = schemas()
  const wanted = input.parse(ours)
  const shown = input.safeParse(theirs['Input'])
  if (!shown.success) return ['the provider shows no `Input` schema']
  const { properties, required } = shown.data
  const always = Object.entries(wanted.properties).flatMap(([name, { default: fallback }]) =>
    fallback === undefined && !wanted.required.includes(name) ? [] : [name],
  )
  const missing = required.filter((name) => !always.includes(name))
  return [
    ...missing.map((name) => `\`${name}\`: the provider needs it, and we may not send it`),
    ...Object.entries(wanted.properties).flatMap(([name, field]) => {
      const taken = properties[name]
      const faults =
        taken === undefined ? ['the provider has no such input'] : fieldFaults(field, resolve(taken, theirs))
      return faults.map((fault) => `\`${name}\`: ${fault}`)
    }),
  ]
}

/** A field with what it refers to. Of two alternatives the first counts: the second is `null`. */
function resolve(field: Field, theirs: Record<string, unknown>): Plain {
  const parts = [field, ...(field.allOf ?? []), ...(field.anyOf?.slice(0, 1) ?? [])]
  const found = parts.flatMap(({ $ref, ...part }) => {
    const target = $ref === undefined ? undefined : theirs[$ref.slice($ref.lastIndexOf('/') + 1)]
    const read = schemas().plain.safeParse(target)
    return read.success ? [part, read.data] : [part]
  })
  return Object.assign({}, ...found)
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
