/** One member of a list header, such as `Accept` or `Prefer`. */
interface Member {
  /** The member without its parameters, in lower case. */
  name: string
  /** Parameter names are in lower case, quotes are taken off values. */
  parameters: ReadonlyMap<string, string>
}

/** Splits at `separator`, but not within a quoted string. One pass, so that a long header takes no more than its length. */
function splitAt(separator: ',' | ';', text: string): string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (isQuoted && character === '\\') at += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)].filter((part) => part !== '')
}

function unquoted(text: string): string {
  const trimmed = text.trim()
  const isWhole = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"')
  return isWhole ? trimmed.slice(1, -1) : trimmed
}

function membersOf(header: string): Member[] {
  return splitAt(',', header).map((text) => {
    const [name = '', ...parts] = splitAt(';', text)
    const parameters = parts.map((part) => {
      const [key = '', ...value] = part.split('=')
      return [key.trim().toLowerCase(), unquoted(value.join('='))] as const
    })
    return { name: name.trim().toLowerCase(), parameters: new Map(parameters) }
  })
}

/** The weight of the first of these names that the header has, from 0 to 1; 0 when it has none of them. */
function weightOf(members: readonly Member[], names: readonly string[]): number {
  for (const wanted of names) {
    const member = members.find(({ name }) => name === wanted)
    if (member === undefined) continue
    const weight = Number(member.parameters.get('q') ?? 1)
    return weight >= 0 && weight <= 1 ? weight : 0
  }
  return 0
}

/**
 * True if an `Accept` header asks for an event stream (RFC 9110, 12.5.1): it names `text/event-stream` with a weight above 0,
 * and JSON has no higher weight.
 *
 * @example prefersEventStream('application/json, text/event-stream;q=0') // false
 */
export function prefersEventStream(accept: string | undefined): boolean {
  const members = membersOf(accept ?? '')
  const stream = weightOf(members, ['text/event-stream'])
  return stream > 0 && stream >= weightOf(members, ['application/json', 'application/*', '*/*'])
}

/** True if a `Prefer` header has this preference (RFC 7240), which takes no value. */
export const hasPreference = (prefer: string | undefined, preference: string): boolean =>
  membersOf(prefer ?? '').some(({ name }) => {
    const [key = '', ...value] = name.split('=')
    return unquoted(key) === preference && unquoted(value.join('=')) === ''
  })

/**
 * True if an `If-None-Match` header names this entity tag (RFC 9110, 13.1.2): `*`, or a list that has it by weak comparison.
 *
 * @example namesEntityTag('"a", W/"b"', '"b"') // true
 */
export function namesEntityTag(ifNoneMatch: string | null, opaqueTag: string): boolean {
  const header = ifNoneMatch?.trim() ?? ''
  const tags = header.matchAll(/(?:^|,)\s*(?:W\/)?("[^"]*")\s*(?=,|$)/g)
  return header === '*' || [...tags].some(([, tag]) => tag === opaqueTag)
}
