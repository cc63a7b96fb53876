import { describe, expect, it } from 'vitest'
import { browserCookies } from './cookies.ts'
import { makeTransport } from './transport.ts'

/** The CSRF token of a POST, from a page with these cookies. */
async function tokenOf(cookie: string): Promise<string | null> {
  let token: string | null = null
  const transport = makeTransport({
    origin: 'https://a.example',
    cookies: browserCookies({ cookie }),
    platformCookies: true,
    fetch: async (_url, { headers }) => {
      token = new Headers(headers).get('X-CSRF-Token')
      return new Response('')
    },
  })
  await (await transport.call('/', { method: 'POST' })).text()
  return token
}

describe('the CSRF token of a page', () => {
  it('default: the host-bound cookie, else the plain one of http', async () => {
    expect(await tokenOf('a=1; csrf=plain; __Host-csrf=bound')).toBe('bound')
    expect(await tokenOf('csrf=plain')).toBe('plain')
    expect(await tokenOf('xcsrf=no')).toBeNull()
  })
})
