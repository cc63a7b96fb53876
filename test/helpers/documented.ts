import { PROBLEMS } from '../../protocol/problems.ts'
import { OPERATIONS } from '../../worker/http/openapi/operations.ts'
import { answers } from '../../worker/http/openapi/schemas.ts'

export interface GivenAnswer {
  status: number
  headers: Headers
  text: string
}

/** Codes that any path may answer with. */
const ANYWHERE: readonly string[] = [
  'not_found',
  'method_not_allowed',
  'rate_limited',
  'internal_error',
  'misconfigured',
]

const patterns = Object.keys(OPERATIONS).map((key) => {
  const [method = '', path = ''] = key.split(' ')
  const id = path.startsWith('/v1/') ? '.+' : '[^/]+'
  return { key, method, pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('{id}', id)}$`) }
})

/**
 * Holds a real answer to what the OpenAPI document says of the call. Throws where its status, code, media type or any
 * member of its body is not described there.
 */
export function assertDocumented(method: string, url: string, answer: GivenAnswer): void {
  const { pathname } = new URL(url)
  const found = patterns.find((p) => p.method === method.toLowerCase() && p.pattern.test(pathname))
  if (found === undefined) return
  const fault = faultOf(found.key, answer)
  if (fault !== null)
    throw new Error(`${found.key} answered ${answer.status}, which is not described: ${fault}\n${answer.text}`)
}

function faultOf(key: string, { status, headers, text }: GivenAnswer): string | null {
  const operation = OPERATIONS[key]
  const type = (headers.get('Content-Type') ?? '').split(';')[0] ?? ''
  const described = operation?.answers[status]
  if (operation?.openaiErrors && status >= 400) return openaiFault(operation.problems, JSON.parse(text))
  if (type === 'application/problem+json') return problemFault(operation?.problems ?? [], JSON.parse(text))
  if (described === undefined) return 'the status'
  if (text === '') return described.schema === undefined ? null : 'an empty body'
  if (described.others?.[type] !== undefined) return null
  if (type !== 'application/json' || described.schema === undefined) return `the media type ${type}`
  return answers()[described.schema].safeParse(JSON.parse(text)).error?.message ?? null
}

function openaiFault(codes: readonly string[], body: unknown): string | null {
  const { data, error } = answers().OpenaiError.safeParse(body)
  if (error) return error.message
  const code = String(Reflect.get(Object(Reflect.get(Object(data), 'error')), 'code'))
  return codes.includes(code) || ANYWHERE.includes(code) ? null : `the code ${code}`
}

function problemFault(codes: readonly string[], body: unknown): string | null {
  const problem = answers().Problem.safeParse(body)
  const code = Object.keys(PROBLEMS).find((known) => known === Reflect.get(Object(body), 'code'))
  if (!problem.success) return problem.error.message
  if (code === undefined || !(codes.includes(code) || ANYWHERE.includes(code))) return `the code ${code}`
  if (Reflect.get(Object(body), 'status') !== 402) return null
  return answers().PaymentRequired.safeParse(body).error?.message ?? null
}
