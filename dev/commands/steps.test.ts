import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { COMMANDS, stepsOf } from './steps.ts'

const ROOT = join(import.meta.dirname, '../..')
const wordsOf = (text: string) => stepsOf(text.split(' ')).map(({ words }) => words.join(' '))

it.each([
  ['build', ['vite build web/site']],
  ['build web node', ['vite build web/site', 'worker/node/build.ts']],
  [
    'generate --check',
    [
      'web/scripts/generate.ts openapi --check',
      'web/scripts/generate.ts models --check',
      'web/scripts/generate.ts problems --check',
    ],
  ],
  ['generate screenshots --all', ['test/e2e/screenshots.ts --all']],
  ['contracts record Launch http://127.0.0.1:8545', ['contracts/script/record.ts Launch http://127.0.0.1:8545']],
  [
    'deploy landing',
    ['vite build web/landing', 'wrangler pages deploy web/landing/dist --project-name coinslot-presale'],
  ],
])('default: npm run %s', (text, steps) => {
  expect(wordsOf(text)).toEqual(steps)
})

it.each(['deploy', 'contracts', 'contracts nothing', 'build nothing', 'build --check', 'nothing'])(
  'error: npm run %s is refused, and nothing runs',
  (text) => {
    expect(() => wordsOf(text)).toThrow()
  },
)

it('behavior: every file that a command runs is there', () => {
  const words = Object.values(COMMANDS).flatMap(({ steps }) =>
    Object.values(steps).flatMap((all) => all.map((one) => one.words[0] ?? '')),
  )
  const files = words.filter((word) => word.includes('/'))
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})
