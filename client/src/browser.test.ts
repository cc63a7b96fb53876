import { describe, expect, it } from 'vitest'
import { csrfTokenIn } from './browser.ts'

describe('the CSRF token of a page', () => {
  it('default: the host-bound cookie, else the plain one of http', () => {
    expect(csrfTokenIn('a=1; csrf=plain; __Host-csrf=bound')).toBe('bound')
    expect(csrfTokenIn('csrf=plain')).toBe('plain')
    expect(csrfTokenIn('xcsrf=no')).toBeUndefined()
  })
})
