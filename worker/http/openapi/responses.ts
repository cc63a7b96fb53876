import { PROBLEMS, type ProblemCode } from '../../../protocol/problems.ts'
import { reference } from './model-requests.ts'
import type { Answer, HeaderName, Operation } from './operation.ts'

type Json = Record<string, unknown>

const ALWAYS: readonly ProblemCode[] = ['internal_error', 'misconfigured']

/** The description of each response header. */
const HEADERS: Record<HeaderName, string> = {
  'Payment-Required': 'Base64 of the x402 version 2 PaymentRequired.',
  'Payment-Response': 'Base64 of `{ success, payer, transaction, network }`; on every answer about a settled payment.',
  Location: 'Where the purchase can be followed.',
  'Retry-After': 'Seconds.',
  RateLimit: 'What is left of the limit.',
  'RateLimit-Policy': 'The limit.',
  'Set-Cookie': 'The session or the CSRF cookie.',
  'Content-Disposition': 'Name of the file, with `format=csv`.',
  Deprecation: 'RFC 9745, of a model with `deprecatedAt`; on every answer about it.',
  'X-Robots-Tag': '`noindex`.',
  Sunset: 'RFC 8594, beside `Deprecation`.',
}

const CHALLENGE: readonly HeaderName[] = ['Payment-Required']
const SETTLED: readonly HeaderName[] = ['Payment-Response', 'Retry-After']

/** Headers that come with a problem. */
const PROBLEM_HEADERS: Partial<Record<ProblemCode, readonly HeaderName[]>> = {
  payment_required: CHALLENGE,
  payment_rejected: [...CHALLENGE, 'Payment-Response'],
  quote_expired: CHALLENGE,
  payment_in_progress: SETTLED,
  settlement_unknown: SETTLED,
  inference_failed: ['Payment-Response'],
  rate_limited: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
}

/** The document's `components.headers`. */
export const headerComponents = (): Json =>
  Object.fromEntries(
    Object.entries(HEADERS).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

const headersOf = (names: readonly HeaderName[] = []): Json =>
  names.length === 0
    ? {}
    : { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }

/** Every response of a call by its status: its answers, then its problems. */
export function responsesOf({ answers, problems, openaiErrors = false }: Operation): Json {
  const answered = Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)] as const)
  const codes = [...problems, ...ALWAYS]
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))].sort((a, b) => a - b)
  const failed = statuses.map((status) => {
    const ofStatus = codes.filter((code) => PROBLEMS[code].status === status)
    const problem = problemsOf(status, ofStatus, openaiErrors)
    const answer = answers[status]
    return [String(status), answer === undefined ? problem : withBoth(answerOf(answer), problem)] as const
  })
  return Object.fromEntries([...answered, ...failed])
}

function answerOf({ description, schema, headers, others = {} }: Answer): Json {
  const json = schema === undefined ? {} : { 'application/json': { schema: { $ref: reference(schema) } } }
  const rest = Object.entries(others).map(([type, text]) => [type, { schema: { description: text } }])
  const content = { ...json, ...Object.fromEntries(rest) }
  return { description, ...headersOf(headers), ...(Object.keys(content).length > 0 && { content }) }
}

function problemsOf(status: number, codes: readonly ProblemCode[], isOpenai: boolean): Json {
  const schema = { $ref: reference(status === 402 ? 'PaymentRequired' : 'Problem') }
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  const headers = [...new Set(codes.flatMap((code) => PROBLEM_HEADERS[code] ?? []))]
  const description = codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('\n\n')
  const content = isOpenai
    ? { 'application/json': { schema: { $ref: reference('OpenaiError') } } }
    : { 'application/problem+json': { schema, examples } }
  return { description, ...headersOf(headers), content }
}

/** A status of both an answer and a problem: 503 of the health check. */
const withBoth = (answer: Json, problem: Json): Json => ({
  ...problem,
  description: `${String(answer['description'])}\n\n${String(problem['description'])}`,
  content: { ...asObject(answer['content']), ...asObject(problem['content']) },
})

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

/** The content of a 402 beside the problem's members. */
const CHALLENGE_EXAMPLE = {
  x402Version: 2,
  error: 'Payment required',
  resource: {
    url: 'https://coinslot.example/api/inference',
    description: 'text-to-image · FLUX schnell',
    mimeType: 'application/json',
  },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      amount: '10000',
      payTo: '0x000000000000000000000000000000000000dEaD',
      maxTimeoutSeconds: 60,
      extra: { name: 'USD Coin', version: '2', paymentFlow: 'upfront' },
    },
  ],
  extensions: { quote: { info: { token: '…', expiresAt: '2026-11-27T12:10:00.000Z' }, schema: {} } },
}

function problemExample(code: ProblemCode): Json {
  const { status, title, nextAction } = PROBLEMS[code]
  return {
    type: `/problems/${code}`,
    title,
    status,
    detail: title,
    code,
    requestId: '0b9b3c1e-52c5-4a34-9a3e-2f6d5c1f7a10',
    nextAction,
    ...(status === 402 && CHALLENGE_EXAMPLE),
  }
}

/** The document's `components.examples`: one problem document per code. */
export const problemExamples = (codes: Iterable<ProblemCode>): Json =>
  Object.fromEntries([...codes].map((code) => [code, { value: problemExample(code) }]))

/** Every code that one of these calls may answer with. */
export const codesOf = (operations: Iterable<Operation>): Set<ProblemCode> =>
  new Set([...operations].flatMap(({ problems }) => [...problems, ...ALWAYS]))
