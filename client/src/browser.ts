import { makeTransport, type Transport } from './session/transport.ts'

export { jsonOf, type Transport } from './session/transport.ts'

/** Calls from a page to its own origin, with the browser's cookies. It knows the service's clock after the first answer. */
export function browserTransport(): Transport {
  return makeTransport({
    origin: location.origin,
    fetch: (url, init) => fetch(url, init),
    credentials: 'include',
    csrfToken: () => csrfTokenIn(document.cookie),
  })
}

/** The CSRF token among the cookies of a page: of the host-bound cookie, else of the plain one, which http has. */
export function csrfTokenIn(cookies: string): string | undefined {
  const cookie = (name: string): string | undefined =>
    cookies
      .split('; ')
      .find((pair) => pair.startsWith(`${name}=`))
      ?.slice(name.length + 1)
  return cookie('__Host-csrf') ?? cookie('csrf')
}
