import { hostileText, hostileValue, RAW_JSON } from './hostile-values.ts'
import type { Random } from './random.ts'

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A copy with one member changed, dropped, renamed or added, at any depth. */
export function mutateJson(value: unknown, random: Random): unknown {
  if (!isObject(value)) return hostileValue(random)
  const name = random.some(Object.keys(value))
  // A computed name makes it a member, not the prototype.
  if (random.is(0.05)) return { ...value, ['__proto__']: hostileValue(random) }
  if (name === undefined || random.is(0.15)) return { ...value, [hostileText(random) || 'extra']: hostileValue(random) }
  const { [name]: member, ...others } = value
  if (random.is(0.15)) return others
  if (random.is(0.1)) return { ...others, [name.toUpperCase()]: member }
  if (isObject(member) && random.is(0.7)) return { ...value, [name]: mutateJson(member, random) }
  if (typeof member === 'string' && random.is(0.4)) return { ...value, [name]: mutateText(member, random) }
  return { ...value, [name]: hostileValue(random) }
}

/** A text with something cut out, put in, doubled or turned. */
export function mutateText(text: string, random: Random): string {
  const at = random.int(0, text.length)
  const end = Math.min(text.length, at + random.int(1, 8))
  return random.pick([
    () => text.slice(0, at),
    () => text.slice(0, at) + text.slice(end),
    () => text.slice(0, at) + hostileText(random) + text.slice(at),
    () => text + text,
    () => text.toUpperCase(),
    () => text.slice(0, at) + String.fromCharCode(random.int(33, 126)) + text.slice(at + 1),
  ])()
}

/** JSON text with faults: members twice, raw pieces, cut off, or bytes that are not UTF-8. */
export function mutateBytes(body: Buffer, random: Random): Buffer {
  const text = body.toString('utf8')
  const at = random.int(0, body.length)
  return random.pick([
    () => body.subarray(0, at),
    () => Buffer.concat([body.subarray(0, at), Buffer.from([random.int(0, 255)]), body.subarray(at + 1)]),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(text.replace('{', `{${JSON.stringify(hostileText(random))}:${random.pick(RAW_JSON)},`)),
    () => Buffer.from(text.replace(/:("[^"]*"|\d+)/, `:${random.pick(RAW_JSON)}`)),
    () => Buffer.from(random.pick(RAW_JSON)),
    () => Buffer.from(`${'['.repeat(random.int(1, 20_000))}1`),
    () => Buffer.from(`${text} ${text}`),
    () => Buffer.from(JSON.stringify('x'.repeat(random.int(60_000, 70_000)))),
    () => Buffer.alloc(0),
  ])()
}
