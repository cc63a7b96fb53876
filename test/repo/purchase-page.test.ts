import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './sources/files.ts'

/** The rows of the first table of docs/design/purchase.md: step, file, function. */
function steps(): { step: string; file: string; name: string }[] {
  const page = readFileSync(join(ROOT, 'docs/design/purchase.md'), 'utf8')
  const rows = page.matchAll(/^\| ([a-z ]+) \| `([\w./-]+\.ts)` \| `(\w+)` \|/gm)
  return [...rows].map(([, step = '', file = '', name = '']) => ({ step, file, name }))
}

test('behavior: the page of the purchase names the file and the function of each step, in order', () => {
  const found = steps()
  expect(found.map(({ step }) => step)).toEqual(
    'sign in, decode, validate, claim, verify, settle, run, store, record, answer'.split(', '),
  )
  for (const { file, name } of found) {
    const path = file.startsWith('worker/') ? file : `worker/domain/purchase/${file}`
    expect(readFileSync(join(ROOT, path), 'utf8'), path).toMatch(new RegExp(`(function|const) ${name}\\b`))
  }
})
