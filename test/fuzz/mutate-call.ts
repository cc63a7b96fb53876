import { type Call, withCookieLines } from './call.ts'
import { HEADER_NAMES, HEADERS, METHODS } from './hostile-headers.ts'
import { headerSafe, hostileText, pathSafe } from './hostile-values.ts'
import { mutateBytes, mutateJson, mutateText } from './mutate-body.ts'
import type { Random } from './random.ts'

function withBody(call: Call, random: Random): Call {
  if (call.body === null) return { ...call, body: Buffer.from(hostileText(random)) }
  if (random.is(0.35)) return { ...call, body: mutateBytes(call.body, random) }
  try {
    const changed = mutateJson(JSON.parse(call.body.toString('utf8')), random)
    return { ...call, body: Buffer.from(JSON.stringify(changed)) }
  } catch {
    return { ...call, body: mutateBytes(call.body, random) }
  }
}

function withHeader(call: Call, random: Random): Call {
  const present = random.some(Object.keys(call.headers))
  if (present !== undefined && random.is(0.4)) {
    const { [present]: value = '', ...others } = call.headers
    if (random.is(0.3)) return { ...call, headers: others }
    return { ...call, headers: { ...others, [present]: headerSafe(mutateText(value, random)).slice(0, 7_000) } }
  }
  const name = random.some(HEADER_NAMES) ?? 'accept'
  const value = random.is(0.8) ? random.pick(HEADERS[name] ?? ['']) : headerSafe(hostileText(random)).slice(0, 7_000)
  return { ...call, headers: { ...call.headers, [name]: value } }
}

/** A field whose value, or the path or a query value, is padded to a length at which a pattern that backtracks stands still. */
function withPadding(call: Call, random: Random): Call {
  const pad = random.pick(PADS).repeat(random.pick([500, 6_000, 12_000, 30_000] as const))
  const name = random.some(HEADER_NAMES.filter((name) => name !== 'host')) ?? 'accept'
  const value = call.headers[name] ?? random.pick(HEADERS[name] ?? [''])
  const [start, end] = [value.slice(0, random.int(0, value.length)), random.pick(['', 'x', ';', '=', '"'] as const)]
  const [path = '/', query = ''] = call.path.split('?', 2)
  const short = encodeURIComponent(pad.slice(0, 4_000))
  return random.pick([
    () => ({ ...call, headers: { ...call.headers, [name]: `${start}${pad}${end}`.trim() || 'x' } }),
    () => ({ ...call, headers: { ...call.headers, [name]: `${start}${pad}${end}`.trim() || 'x' } }),
    () => ({ ...call, path: `${path}${'/'.repeat(random.int(1_000, 8_000))}${end === '"' ? '' : end}` }),
    () => ({ ...call, path: `${path}?${query === '' ? '' : `${query}&`}q=${short}${random.pick(['b', ''] as const)}` }),
  ])()
}

/** What a careless pattern walks over again and again. */
const PADS = [' ', '\t', ',', ';', '=', 'a', ' ,', 'a=,', '"', '/', '\\"'] as const

/** A header whose JSON, in base64, was changed: it reaches the code behind the decoding. */
function withEncoded(name: 'payment-signature' | 'sign-in-with-x', call: Call, random: Random): Call {
  const header = call.headers[name]
  if (header === undefined) return withHeader(call, random)
  const json = Buffer.from(header, 'base64').toString('utf8')
  let changed: string
  try {
    changed = JSON.stringify(mutateJson(JSON.parse(json), random))
  } catch {
    changed = mutateText(json, random)
  }
  const encoding = random.pick(['base64', 'base64url'] as const)
  return {
    ...call,
    headers: { ...call.headers, [name]: Buffer.from(changed).toString(encoding).slice(0, 12_000) },
  }
}

const withPayment = (call: Call, random: Random): Call => withEncoded('payment-signature', call, random)
const withProof = (call: Call, random: Random): Call => withEncoded('sign-in-with-x', call, random)

/** One field as two lines: cookies one by one, any other field with a second value. */
function withLines(call: Call, random: Random): Call {
  if (random.is(0.5) && call.headers['cookie'] !== undefined) return withCookieLines(call)
  const name = random.some(HEADER_NAMES.filter((name) => !SINGLE.includes(name))) ?? 'accept'
  const value = random.pick(HEADERS[name] ?? [''])
  return { ...call, moreLines: [...(call.moreLines ?? []), [name, value]] }
}

/** A second line of these is refused by HTTP servers themselves. */
const SINGLE = ['host', 'content-type', 'content-encoding']

function withCookie(call: Call, random: Random): Call {
  const cookie = call.headers['cookie'] ?? ''
  const value = random.pick<() => string>([
    () => mutateText(cookie, random),
    () => `${cookie}; ${cookie}`,
    () => cookie.replace(/session=/g, '__Host-session='),
    () => cookie.replace(/csrf=[^;]*/, `csrf=${hostileText(random)}`),
    () => cookie.replace(/session=[^;]*/, `session=${hostileText(random)}`),
    () => `session=${'*'.repeat(random.int(1, 20))}; csrf=.`,
    () => '; ;=;a=b=c;"',
  ])()
  return { ...call, headers: { ...call.headers, cookie: headerSafe(value).slice(0, 7_000) } }
}

function withPath(call: Call, random: Random): Call {
  const [path = '/', query = ''] = call.path.split('?', 2)
  const changed = random.pick([
    () => `${path}/${hostileText(random)}`,
    () => `${path}/`,
    () => path.replace('/api/', '/api//'),
    () => path.replace('/api/', '/api/%2e%2e/api/'),
    () => path.replace(/[^/]+$/, hostileText(random)),
    () => mutateText(path, random),
    () => path.toUpperCase(),
    () => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  ])()
  return {
    ...call,
    path: pathSafe(`/${changed.replace(/^\/+/, '')}${query === '' ? '' : `?${query}`}`).slice(0, 4_000),
  }
}

function withQuery(call: Call, random: Random): Call {
  const name = random.pick([
    'limit',
    'cursor',
    'task',
    'status',
    'state',
    'before',
    'format',
    'inference',
    '__proto__',
    '',
  ] as const)
  const value = random.pick([
    hostileText(random),
    '100',
    '101',
    '0',
    '-1',
    '1e2',
    'csv',
    'MTIzLjQ1Ng',
    '2026-01-01T00:00:00Z',
  ] as const)
  const joint = call.path.includes('?') ? '&' : '?'
  const encoded = random.is(0.7) ? encodeURIComponent(value.toWellFormed()) : value
  return { ...call, path: pathSafe(`${call.path}${joint}${name}=${encoded}`).slice(0, 4_000) }
}

const withMethod = (call: Call, random: Random): Call => ({ ...call, method: random.pick(METHODS) })

/** One to four faults in one call. */
export function mutateCall(call: Call, random: Random): Call {
  let changed = call
  for (let left = random.int(1, 4); left > 0; left -= 1) {
    const change = random.pick<(call: Call, random: Random) => Call>([
      withBody,
      withBody,
      withHeader,
      withPadding,
      withPayment,
      withProof,
      withCookie,
      withLines,
      withPath,
      withQuery,
      withMethod,
    ])
    changed = change(changed, random)
  }
  return changed
}
