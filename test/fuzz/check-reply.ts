import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { StackInfo } from '../../dev/stack/stack-info.ts'
import type { Call, Reply } from './call.ts'

export const SLOW_MS = 2_000

const problemSchema = z.looseObject({ code: z.string(), status: z.number(), requestId: z.string(), title: z.string() })
const openaiErrorSchema = z.object({
  error: z.looseObject({ message: z.string().min(1), type: z.string().min(1), code: z.string().nullable() }),
})
const knownCodes = new Set(
  Object.keys(
    z
      .record(z.string(), z.unknown())
      .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/problems.json'), 'utf8'))),
  ),
)

/** Signs that a worker's inside is in an answer. */
const INSIDES: readonly RegExp[] = [
  /\bat [\w.<>$ ]+\(?(file:|\/|[\w-]+\.(js|ts):)\S*:\d+:\d+/,
  /node_modules|worker\.js|\.ts:\d+:\d+/,
  /Failed query|\bparams: /,
  /\b(select|insert into|update|delete from) [\w".*, ]{1,80} (from|values|set|where) /i,
  /\b(used_nonces|paid_rates|model_sum_parts|model_checks|asset_sum_parts|payment_state)\b/,
  /postgres(ql)?:\/\/|neon\.tech/i,
  /Fe26\.2\*/,
]

/** Returns what is wrong with an answer, or null. `fuzz` checks the time it took. */
export function makeReplyCheck(info: StackInfo) {
  const secrets = [info.webhookSecret, info.databaseUrl, ...info.buyers.map(({ privateKey }) => privateKey.slice(2))]

  function leak({ headers, text }: Reply): string | null {
    const { 'set-cookie': _cookies, ...others } = headers
    const all = `${JSON.stringify(others)}\n${text}`
    const inside = INSIDES.find((pattern) => pattern.test(all))
    if (inside !== undefined) return `shows its inside: ${all.match(inside)?.[0].slice(0, 100)}`
    return secrets.some((secret) => all.includes(secret)) ? 'shows a secret' : null
  }

  function fault(call: Call, { status, headers, text }: Reply): string | null {
    if (status < 400) return null
    // Anything but HTTP never reaches the worker.
    if (status === 400 && !isWellFormed(call)) return null
    const isHealth = status === 503 && text.includes('"db"')
    if (isHealth) return null
    if (call.method === 'POST' && pathnameOf(info.origin, call.path).startsWith('/v1/'))
      return openaiFault(status, headers, text)
    if (!isApi(info.origin, call.path) && status < 500) return null
    if (!headers['content-type']?.startsWith('application/problem+json')) return `${status} is no problem document`
    if (call.method === 'HEAD') return status === 500 ? '500' : null
    const problem = problemSchema.safeParse(parse(text))
    if (!problem.success) return `${status} is no problem document`
    const { code } = problem.data
    if (code === 'internal_error' || !knownCodes.has(code) || problem.data.status !== status) return `${status} ${code}`
    if (status === 402 && headers['payment-required'] === undefined) return '402 without a price'
    return null
  }

  function openaiFault(status: number, headers: Reply['headers'], text: string): string | null {
    const { data } = openaiErrorSchema.safeParse(parse(text))
    if (data === undefined) return `${status} without an error of OpenAI's form`
    if (data.error.code === 'internal_error') return `${status} internal_error`
    return status === 402 && headers['payment-required'] === undefined ? '402 without a price' : null
  }

  return (call: Call, reply: Reply): string | null =>
    fault(call, reply) ?? leak(reply) ?? (takesPrototype(call, reply) ? 'takes a `__proto__` member' : null)
}

/** True if a request with a member `__proto__`, which no model has, was taken. */
function takesPrototype({ method, path, body }: Call, { status }: Reply): boolean {
  if (method !== 'POST' || status !== 200 || !/^\/api\/inference(\/estimate)?$/.test(path)) return false
  const request = requestSchema.safeParse(parse(body?.toString('utf8') ?? ''))
  return request.success && [request.data, request.data.input].some(hasPrototypeMember)
}

const requestSchema = z.custom<{ input?: unknown }>((value) => typeof value === 'object' && value !== null)
const hasPrototypeMember = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')

/** True if a server has to take the request line and the host for HTTP: the letters of RFC 3986, and a host that is one. */
const isWellFormed = ({ path, headers }: Call): boolean =>
  /^([\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i.test(path) && isHost(headers['host'] ?? 'localhost')

const isHost = (text: string): boolean => /^[\w.[\]:-]+$/.test(text) && URL.canParse(`http://${text}`)

const pathnameOf = (origin: string, path: string): string => URL.parse(path, origin)?.pathname ?? ''

/** True if the worker answers a path, not the site. */
const isApi = (origin: string, path: string): boolean =>
  /^\/(api\/|\.well-known\/|openapi\.json$)/.test(pathnameOf(origin, path))

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
