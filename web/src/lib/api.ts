import { ProblemError, readProblem } from './problem.ts'

/** Wait for a read before it is called lost. */
const READ_DEADLINE_MS = 20_000

/** Milliseconds that the server's clock is ahead of ours, from the last answer's `Date`; signatures carry the server's time. */
let clockSkewMs = 0

/** The server's time now, good to about a second. */
export function serverNow(): Date {
  return new Date(Date.now() + clockSkewMs)
}

/** Value of the CSRF cookie, which the server sets for script to read; null before its first call. */
export function csrfToken(cookies = document.cookie): string | null {
  for (const name of ['__Host-csrf', 'csrf']) {
    const pair = cookies.split('; ').find((cookie) => cookie.startsWith(`${name}=`))
    if (pair) return pair.slice(name.length + 1)
  }
  return null
}

/** One call to the API on our own origin, with the session cookie; the caller reads the answer. */
export async function call(path: string, init: RequestInit = {}): Promise<Response> {
  const sentAt = Date.now()
  const response = await fetch(path, { ...init, credentials: 'same-origin' })
  noteClock(response, sentAt)
  return response
}

function noteClock(response: Response, sentAt: number): void {
  // A cached answer carries an old time.
  if (!response.headers.get('cache-control')?.includes('no-store')) return
  const date = Date.parse(response.headers.get('date') ?? '')
  // `Date` has whole seconds: less than two apart is no difference worth correcting.
  if (Number.isNaN(date)) return
  const skew = date + 500 - (sentAt + Date.now()) / 2
  clockSkewMs = Math.abs(skew) < 2000 ? 0 : skew
}

/** The answer's JSON, or null where it is none. */
export async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** GETs and reads a JSON answer. Throws ProblemError for every answer that is not 2xx. */
export async function getJson<Value>(path: string, read: (body: unknown) => Value): Promise<Value> {
  const response = await call(path, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(READ_DEADLINE_MS),
  })
  const body = await bodyOf(response)
  if (!response.ok) throw new ProblemError(readProblem(body, response.status))
  return read(body)
}

/** POSTs JSON with the CSRF header and reads the answer (`read` gets null for 204). Throws ProblemError unless 2xx. */
export async function postJson<Value>(path: string, json: unknown, read: (body: unknown) => Value): Promise<Value> {
  const response = await call(path, {
    method: 'POST',
    headers: await writeHeaders(),
    body: JSON.stringify(json),
    signal: AbortSignal.timeout(READ_DEADLINE_MS),
  })
  const body = await bodyOf(response)
  if (!response.ok) throw new ProblemError(readProblem(body, response.status))
  return read(body)
}

/** Headers of a call that changes something; fetches the CSRF cookie first when there is none. */
export async function writeHeaders(): Promise<Record<string, string>> {
  if (csrfToken() === null) await refreshCsrf()
  return { 'content-type': 'application/json', 'x-csrf-token': csrfToken() ?? '' }
}

/** Asks for a CSRF cookie that verifies. */
export async function refreshCsrf(): Promise<void> {
  await bodyOf(await call('/api/auth/session'))
}
