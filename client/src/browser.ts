import { browserCookies } from './session/cookies.ts'
import { makeTransport, type Transport } from './session/transport.ts'

export { jsonOf, type Transport } from './session/transport.ts'

/** Calls from a page to its own origin, with the browser's cookies. It knows the service's clock after the first answer. */
export function browserTransport(): Transport {
  return makeTransport({
    origin: location.origin,
    fetch: (url, init) => fetch(url, init),
    cookies: browserCookies(document),
    platformCookies: true,
  })
}
