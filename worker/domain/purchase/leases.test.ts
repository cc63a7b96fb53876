import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as leases from './leases.ts'

const units = { s: 1_000, min: 60_000, h: 3_600_000, day: 86_400_000 }

/** Milliseconds of `0.5 s`, `10 min`, `2 h` or `1 day`. */
function milliseconds(text: string): number {
  const [, amount, unit] = /^([0-9.]+) (s|min|h|day)$/.exec(text) ?? []
  if (unit !== 's' && unit !== 'min' && unit !== 'h' && unit !== 'day') throw new Error(`not a time: ${text}`)
  return Number(amount) * units[unit]
}

test('default: the documented times are those of the code, each once', () => {
  const page = readFileSync(new URL('../../../docs/design/purchase.md', import.meta.url), 'utf8')
  const section = page.split('## Time')[1]?.split('\n## ')[0] ?? ''
  const rows = [...section.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, name = '', times = '']) => {
    const all = times.trim().split(', ').map(milliseconds)
    return [name, all.length === 1 ? all[0] : all]
  })
  expect(Object.fromEntries(rows)).toEqual({ ...leases })
})
