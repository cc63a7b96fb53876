import { browserTransport, jsonOf, type Transport } from '@coinslot/client/browser'

/** Wait for a read before it is called lost. */
const READ_DEADLINE_MS = 20_000

let made: Transport | undefined

/** The service this page came from: every call of the site goes through it, so that they share one clock and one CSRF token. */
export function service(): Transport {
  made ??= browserTransport()
  return made
}

/** GETs and reads a JSON answer. Throws ProblemError for every answer that is not 2xx, ConnectionError where none comes. */
export async function getJson<Value>(path: string, read: (body: unknown) => Value): Promise<Value> {
  const headers = { accept: 'application/json' }
  return read(await jsonOf(await service().call(path, { headers, headMs: READ_DEADLINE_MS })))
}
