import type { Call } from './call.ts'
import { headerSafe, nastyText, pathSafe } from './hostile-values.ts'
import { mutateBytes, mutateJson, mutateText } from './mutate-body.ts'
import type { Chance } from './random.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE'] as const

/** Headers that steer parsers, caches, proxies or our own code. */
const HEADERS: Record<string, readonly [string, ...string[]]> = {
  'content-type': [
    '',
    'text/plain',
    'application/json; charset=utf-16',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
  ],
  'content-encoding': ['gzip', 'br', 'identity', 'gzip, gzip'],
  accept: ['text/event-stream', '*/*', 'text/html', 'application/problem+json;q=0'],
  prefer: ['respond-async', 'respond-async, wait=0', 'wait=x'],
  origin: ['https://evil.example', 'null', '', 'http://127.0.0.1', 'http://127.0.0.1:1'],
  host: ['evil.example', 'localhost', '127.0.0.1:1', '[::1]'],
  'x-forwarded-host': ['evil.example'],
  'x-forwarded-for': ['1.2.3.4', '::1', 'x'],
  'cf-connecting-ip': ['1.2.3.4', '::', ':::::', '%', ''],
  'x-http-method-override': ['DELETE'],
  'access-control-request-method': ['POST', 'x'],
  'access-control-request-headers': [`a${' '.repeat(2_000)}b`, '*'],
  'x-csrf-token': ['', 'x', 'a.b', 'a.b.c', '.'],
  'payment-signature': ['', 'x', 'e30=', 'bnVsbA==', '[object Object]', 'A'.repeat(6_000)],
  'x-payment': ['e30='],
  'x-request-id': ['mine', '"'],
  'if-none-match': ['*', 'W/"x"'],
  range: ['bytes=0-', 'bytes=-1', 'x'],
  'webhook-id': ['msg', ''],
  'webhook-timestamp': ['0', 'x', '99999999999999999999'],
  'webhook-signature': ['v1,AAAA', 'v1,', 'x', ''],
  authorization: ['Bearer x', 'Basic !!!'],
  'idempotency-key': ['x'.repeat(10_000 / 4), ''],
}
const HEADER_NAMES = Object.keys(HEADERS)

function withBody(call: Call, chance: Chance): Call {
  if (call.body === null) return { ...call, body: Buffer.from(nastyText(chance)) }
  if (chance.is(0.35)) return { ...call, body: mutateBytes(call.body, chance) }
  try {
    const changed = mutateJson(JSON.parse(call.body.toString('utf8')), chance)
    return { ...call, body: Buffer.from(JSON.stringify(changed)) }
  } catch {
    return { ...call, body: mutateBytes(call.body, chance) }
  }
}

function withHeader(call: Call, chance: Chance): Call {
  const present = chance.some(Object.keys(call.headers))
  if (present !== undefined && chance.is(0.4)) {
    const { [present]: value = '', ...others } = call.headers
    if (chance.is(0.3)) return { ...call, headers: others }
    return { ...call, headers: { ...others, [present]: headerSafe(mutateText(value, chance)).slice(0, 7_000) } }
  }
  const name = chance.some(HEADER_NAMES) ?? 'accept'
  const value = chance.is(0.8) ? chance.pick(HEADERS[name] ?? ['']) : headerSafe(nastyText(chance)).slice(0, 7_000)
  return { ...call, headers: { ...call.headers, [name]: value } }
}

/** A `Payment-Signature` whose JSON was changed: the way to the code behind the decoding. */
function withPayment(call: Call, chance: Chance): Call {
  const header = call.headers['payment-signature']
  if (header === undefined) return withHeader(call, chance)
  const json = Buffer.from(header, 'base64').toString('utf8')
  let changed: string
  try {
    changed = JSON.stringify(mutateJson(JSON.parse(json), chance))
  } catch {
    changed = mutateText(json, chance)
  }
  const encoding = chance.pick(['base64', 'base64url'] as const)
  return {
    ...call,
    headers: { ...call.headers, 'payment-signature': Buffer.from(changed).toString(encoding).slice(0, 12_000) },
  }
}

function withCookie(call: Call, chance: Chance): Call {
  const cookie = call.headers['cookie'] ?? ''
  const value = chance.pick<() => string>([
    () => mutateText(cookie, chance),
    () => `${cookie}; ${cookie}`,
    () => cookie.replace(/session=/g, '__Host-session='),
    () => cookie.replace(/csrf=[^;]*/, `csrf=${nastyText(chance)}`),
    () => cookie.replace(/session=[^;]*/, `session=${nastyText(chance)}`),
    () => `session=${'*'.repeat(chance.int(1, 20))}; csrf=.`,
    () => '; ;=;a=b=c;"',
  ])()
  return { ...call, headers: { ...call.headers, cookie: headerSafe(value).slice(0, 7_000) } }
}

function withPath(call: Call, chance: Chance): Call {
  const [path = '/', query = ''] = call.path.split('?', 2)
  const changed = chance.pick([
    () => `${path}/${nastyText(chance)}`,
    () => `${path}/`,
    () => path.replace('/api/', '/api//'),
    () => path.replace('/api/', '/api/%2e%2e/api/'),
    () => path.replace(/[^/]+$/, nastyText(chance)),
    () => mutateText(path, chance),
    () => path.toUpperCase(),
    () => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  ])()
  return {
    ...call,
    path: pathSafe(`/${changed.replace(/^\/+/, '')}${query === '' ? '' : `?${query}`}`).slice(0, 4_000),
  }
}

function withQuery(call: Call, chance: Chance): Call {
  const name = chance.pick([
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
  const value = chance.pick([
    nastyText(chance),
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
  const encoded = chance.is(0.7) ? encodeURIComponent(value.toWellFormed()) : value
  return { ...call, path: pathSafe(`${call.path}${joint}${name}=${encoded}`).slice(0, 4_000) }
}

const withMethod = (call: Call, chance: Chance): Call => ({ ...call, method: chance.pick(METHODS) })

/** One to four faults in one call. */
export function mutateCall(call: Call, chance: Chance): Call {
  let changed = call
  for (let left = chance.int(1, 4); left > 0; left -= 1) {
    const change = chance.pick<(call: Call, chance: Chance) => Call>([
      withBody,
      withBody,
      withHeader,
      withPayment,
      withCookie,
      withPath,
      withQuery,
      withMethod,
    ])
    changed = change(changed, chance)
  }
  return changed
}
