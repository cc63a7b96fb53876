import { describe, expect, it } from 'vitest'
import { safeUrl } from './files.ts'

describe('safeUrl', () => {
  it('behavior: only http and https are links', () => {
    expect(safeUrl('https://cdn.example/a.webp')).toBe('https://cdn.example/a.webp')
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'blob:x', 'nonsense', ''])
      expect(safeUrl(url)).toBeNull()
  })
})
