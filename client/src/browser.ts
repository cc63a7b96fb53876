import { browserCookies } from './session/cookies.ts'
import { makeTransport, type Transport } from './session/transport.ts'

export { jsonOf, type Transport } from './session/transport.ts'

/** Calls from a page to the service that it came from, with the browser's own cookies. Knows the service's clock after its first answer. */
export function browserTransport(): Transport {
  return makeTransport({
    origin: location.origin,
    fetch: (url, init) => fetch(url, init),
    cookies: browserCookies(document),
    platformCookies: true,
  })
}
