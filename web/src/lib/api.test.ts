import { describe, expect, it } from 'vitest'
import { csrfToken } from './api.ts'

describe('csrfToken', () => {
  it('default: the host-bound cookie, else the plain one of http', () => {
    expect(csrfToken('a=1; csrf=plain; __Host-csrf=bound')).toBe('bound')
    expect(csrfToken('csrf=plain')).toBe('plain')
    expect(csrfToken('xcsrf=no')).toBeNull()
  })
})
