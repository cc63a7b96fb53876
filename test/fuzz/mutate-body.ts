import { nastyText, nastyValue, RAW_JSON } from './hostile-values.ts'
import type { Chance } from './random.ts'

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A copy with one member changed, dropped, renamed or added, at any depth. */
export function mutateJson(value: unknown, chance: Chance): unknown {
  if (!isObject(value)) return nastyValue(chance)
  const name = chance.some(Object.keys(value))
  if (name === undefined || chance.is(0.15)) return { ...value, [nastyText(chance) || 'extra']: nastyValue(chance) }
  const { [name]: member, ...others } = value
  if (chance.is(0.15)) return others
  if (chance.is(0.1)) return { ...others, [name.toUpperCase()]: member }
  if (isObject(member) && chance.is(0.7)) return { ...value, [name]: mutateJson(member, chance) }
  if (typeof member === 'string' && chance.is(0.4)) return { ...value, [name]: mutateText(member, chance) }
  return { ...value, [name]: nastyValue(chance) }
}

/** A text with something cut out, put in, doubled or turned. */
export function mutateText(text: string, chance: Chance): string {
  const at = chance.int(0, text.length)
  const end = Math.min(text.length, at + chance.int(1, 8))
  return chance.pick([
    () => text.slice(0, at),
    () => text.slice(0, at) + text.slice(end),
    () => text.slice(0, at) + nastyText(chance) + text.slice(at),
    () => text + text,
    () => text.toUpperCase(),
    () => text.slice(0, at) + String.fromCharCode(chance.int(33, 126)) + text.slice(at + 1),
  ])()
}

/** JSON text with faults of its own: members twice, raw pieces, cut off, or bytes that are no UTF-8. */
export function mutateBytes(body: Buffer, chance: Chance): Buffer {
  const text = body.toString('utf8')
  const at = chance.int(0, body.length)
  return chance.pick([
    () => body.subarray(0, at),
    () => Buffer.concat([body.subarray(0, at), Buffer.from([chance.int(0, 255)]), body.subarray(at + 1)]),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(text.replace('{', `{${JSON.stringify(nastyText(chance))}:${chance.pick(RAW_JSON)},`)),
    () => Buffer.from(text.replace(/:("[^"]*"|\d+)/, `:${chance.pick(RAW_JSON)}`)),
    () => Buffer.from(chance.pick(RAW_JSON)),
    () => Buffer.from(`${'['.repeat(chance.int(1, 20_000))}1`),
    () => Buffer.from(`${text} ${text}`),
    () => Buffer.from(JSON.stringify('x'.repeat(chance.int(60_000, 70_000)))),
    () => Buffer.alloc(0),
  ])()
}
