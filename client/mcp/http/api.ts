import { isFields } from '../../src/json-fields.ts'
import { type Problem, readProblem } from '../../src/problem.ts'

/** The API: its worker by a service binding, or the same process. */
export interface Api {
  fetch(request: Request): Promise<Response>
}

/** The calls of the API for the caller of one request. */
export interface ApiCalls {
  get(path: string): Promise<Answer>
  /** The same without the caller's proof: the answer for anyone. */
  getPublic(path: string): Promise<Answer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
}

export interface Answer {
  status: number
  headers: Headers
  /** The JSON of the body. */
  body: Record<string, unknown>
}

/** The API refused, in words for the caller. */
export class ApiProblem extends Error {
  override name = 'ApiProblem'
  readonly problem: Problem
  readonly status: number
  readonly body: Record<string, unknown>

  constructor({ status, headers, body }: Answer) {
    const problem = readProblem(body, status, headers.get('Retry-After'))
    super(`${problem.code}: ${problem.detail}`)
    this.problem = problem
    this.status = status
    this.body = body
  }
}

/** No answer from the API in time. A purchase that it started continues. */
export class ApiTimeout extends Error {
  override name = 'ApiTimeout'
}

/** Who calls, as the platform in front vouches for it, and the proof of the wallet. No cookie is passed on. */
const PASSED_ON = ['CF-Connecting-IP', 'X-Forwarded-For', 'SIGN-IN-WITH-X']
const PROOF = 'SIGN-IN-WITH-X'
/** The API answers a purchase within 55 seconds. */
const TIMEOUT_MS = 58_000

/** The API for the caller of `request`, under the host that the caller used. */
export function apiFor(api: Api, request: Request): ApiCalls {
  const passedOn = PASSED_ON.flatMap((name): [string, string][] => {
    const value = request.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const { status, headers, body } = await readAnswer(
        await api.fetch(new Request(new URL(path, request.url), { ...init, signal })),
      )
      return { status, headers, body }
    } catch (error) {
      if (signal.aborted)
        throw new ApiTimeout('There is no answer yet. Call the tool again with the same arguments and payment.')
      throw error
    }
  }
  return {
    get: (path) => call(path, { headers: passedOn }),
    getPublic: (path) => call(path, { headers: passedOn.filter(([name]) => name !== PROOF) }),
    post: (path, body, headers = {}) =>
      call(path, {
        method: 'POST',
        headers: [...passedOn, ['Content-Type', 'application/json'], ...Object.entries(headers)],
        body: JSON.stringify(body),
      }),
  }
}

async function readAnswer(response: Response): Promise<Answer> {
  const body: unknown = await response.json().catch(() => null)
  return { status: response.status, headers: response.headers, body: isFields(body) ? body : {} }
}
