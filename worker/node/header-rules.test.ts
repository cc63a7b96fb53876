import { expect, test } from 'vitest'
import { parseHeaderRules } from './header-rules.ts'

test('default: paths with splats and names, headers with colons in them, removals', () => {
  const rules = parseHeaderRules(
    "# comment\n/*\n  Content-Security-Policy: default-src 'self'; img-src https:\n\n/a.b/:id\n  ! X-Frame-Options\n  A: b\n",
  )
  expect(rules).toEqual([
    { pattern: '^/.*$', set: [['Content-Security-Policy', "default-src 'self'; img-src https:"]], remove: [] },
    { pattern: '^/a\\.b/[^/]+$', set: [['A', 'b']], remove: ['X-Frame-Options'] },
  ])
})
