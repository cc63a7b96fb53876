import type { Context } from 'hono'
import { PROBLEMS } from '../../../protocol/problems.ts'
import type { Problem } from '../../errors.ts'
import type { AppEnv } from '../context.ts'

/** True if a path belongs to OpenAI's form. */
export const isOpenaiPath = (path: string): boolean => /^\/v1(\/|$)/.test(path)

const TYPES: Record<number, string> = {
  401: 'authentication_error',
  402: 'payment_required_error',
  403: 'permission_error',
  429: 'rate_limit_error',
}
const typeOf = (status: number): string => TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error')

/** OpenAI's names of our inputs. The prompt has another name at each call. */
const PARAMS: Record<string, string> = {
  num_outputs: 'n',
  aspect_ratio: 'size',
  max_completion_tokens: 'max_tokens',
  voice_id: 'voice',
  history_prompt: 'voice',
}
const RESPONSES = {
  system_prompt: 'instructions',
  max_tokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
}
/** Those that are named otherwise at one call. */
const PARAMS_AT: Record<string, Record<string, string>> = {
  '/v1/chat/completions': { prompt: 'messages', system_prompt: 'messages' },
  '/v1/responses': { prompt: 'input', ...RESPONSES },
  '/v1/audio/speech': { prompt: 'input', text: 'input' },
}

function paramOf(path: string, { details: { errors } }: Problem): string | null {
  const [first] = errors ?? []
  if (first === undefined) return null
  if (first.path === 'task') return 'model'
  const name = first.path.replace(/^input\./, '')
  if (name === first.path) return name
  return PARAMS_AT[path]?.[name] ?? PARAMS[name] ?? (name === 'text' ? 'prompt' : name)
}

/**
 * The problem in words: for a fault in one member, that member's message. Callers that read a 402 in an ordinary client often
 * do not know such payments, so it names the page that explains them.
 */
function messageOf({ code, details: { detail, errors, resource } }: Problem): string {
  const [first] = errors ?? []
  const message = first?.message ?? detail ?? PROBLEMS[code].title
  const url: unknown = Reflect.get(Object(resource), 'url')
  return PROBLEMS[code].status === 402 && typeof url === 'string'
    ? `${message} How to pay: ${new URL(url).origin}/docs`
    : message
}

/**
 * A problem as OpenAI's clients read it. `paymentState` and its companions stand inside `error`, which is all that those clients
 * hand on, and beside it, where problem documents have them; beside it also `accepts` of a 402.
 */
export function openaiError(path: string, problem: Problem, status: number = PROBLEMS[problem.code].status) {
  const { code, details } = problem
  const { paymentState, nextAction = PROBLEMS[code].nextAction, statusUrl } = details
  const beside = {
    ...(paymentState !== undefined && { paymentState }),
    nextAction,
    ...(statusUrl !== undefined && { statusUrl }),
  }
  const error = { message: messageOf(problem), type: typeOf(status), code, param: paramOf(path, problem), ...beside }
  return { error, ...beside, ...(details['accepts'] !== undefined && { accepts: details['accepts'] }) }
}

/**
 * The response of a problem, with its own headers. OpenAI's clients repeat a failed call by themselves. A wrapped `fetch` would
 * sign a new payment for it, so after a payment they are asked not to.
 */
export function openaiErrorResponse(c: Context<AppEnv>, problem: Problem, status?: 503): Response {
  const { details, headers } = problem
  const isPaid = c.req.header('Payment-Signature') !== undefined
  return new Response(JSON.stringify(openaiError(c.req.path, problem, status)), {
    status: status ?? PROBLEMS[problem.code].status,
    headers: {
      'Content-Type': 'application/json',
      ...(details.retryAfterSeconds !== undefined && { 'Retry-After': String(details.retryAfterSeconds) }),
      ...(isPaid && { 'X-Should-Retry': 'false' }),
      ...headers,
    },
  })
}
