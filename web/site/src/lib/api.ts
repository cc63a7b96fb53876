import { browserTransport, jsonOf, type Transport } from '@coinslot/client/browser'

const READ_DEADLINE_MS = 20_000

let made: Transport | undefined

/** The transport of all calls to this site's service. They share one clock and one CSRF token. */
export function service(): Transport {
  made ??= browserTransport()
  return made
}

/** GETs and reads a JSON answer. Throws ProblemError if it is not 2xx, ConnectionError if there is no answer. */
export async function getJson<Value>(path: string, read: (body: unknown) => Value): Promise<Value> {
  const headers = { accept: 'application/json' }
  return read(await jsonOf(await service().call(path, { headers, headMs: READ_DEADLINE_MS })))
}
